/** The flags for nodes, services, events and the other API servers of a cluster. */
import { bool, duration, int, section, string, stringSlice } from '@coxswain/cobra';
import { preferredAddressTypesDefault } from '../proxy/preferred-addresses.ts';
import { portRange } from '../flag-kinds.ts';

export const miscFlags = section('Misc', {
  allowPrivileged: bool({ usage: 'Allow privileged containers.' }),
  apiserverCount: int({
    default: 1,
    usage: 'The number of API servers in the cluster. Used with --endpoint-reconciler-type=master-count.',
    deprecated: 'apiserver-count is deprecated and will be removed in a future version.',
  }),
  coordinatedLeadershipLeaseDuration: duration({
    default: 15_000,
    usage: 'The duration of a lease granted by coordinated leader election.',
  }),
  coordinatedLeadershipRenewDeadline: duration({
    default: 10_000,
    usage: 'How long the leader tries to renew before it gives up leadership.',
  }),
  coordinatedLeadershipRetryPeriod: duration({
    default: 2_000,
    usage: 'How long candidates wait between attempts.',
  }),
  enableAggregatorRouting: bool({
    usage:
      'Connect to the endpoints of extension API servers instead of the cluster IP addresses of their services.',
  }),
  enableLogsHandler: bool({
    usage: 'Not supported by this server.',
    deprecated: 'Log handler functionality is deprecated',
  }),
  endpointReconcilerType: string({
    default: 'lease',
    usage: 'How to maintain the endpoints of the kubernetes service: lease, master-count or none.',
  }),
  eventTtl: duration({ default: 3_600_000, usage: 'How long events are kept.' }),
  kubeletCertificateAuthority: string({
    usage: 'The CA certificate file for the certificates of kubelets. They are not verified if unset.',
  }),
  kubeletClientCertificate: string({ usage: 'The client certificate file for kubelets.' }),
  kubeletClientKey: string({ usage: 'The client key file for kubelets.' }),
  kubeletPreferredAddressTypes: stringSlice({
    default: preferredAddressTypesDefault,
    usage: 'The types of node addresses to use for kubelets, in order of preference.',
  }),
  kubernetesServiceNodePort: int({
    usage: 'The node port of the kubernetes service. 0 means none.',
  }),
  proxyClientCertFile: string({ usage: 'The client certificate file for extension API servers.' }),
  proxyClientKeyFile: string({ usage: 'The client key file for extension API servers.' }),
  serviceAccountSigningEndpoint: string({
    usage: 'The socket of an external token signer, in place of key files.',
  }),
  serviceAccountSigningKeyFile: string({
    usage: 'The private key file to sign service account tokens with.',
  }),
  serviceClusterIpRange: string({
    usage: 'The IP address range of services, or one range for each IP family.',
  }),
  serviceNodePortRange: portRange({
    default: '30000-32767',
    usage: 'The port range for services with node ports.',
  }),
});
