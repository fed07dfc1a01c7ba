/** What concerns nodes, services, events and the other API servers of a cluster. */
import { bool, duration, int, section, string, stringSlice } from '@coxswain/cobra';
import { preferredAddressTypesDefault } from '../proxy/preferred-addresses.ts';
import { portRange } from './flag-kinds.ts';

export const miscFlags = section('Misc', {
  allowPrivileged: bool({ usage: 'Let pods have privileged containers.' }),
  apiserverCount: int({
    default: 1,
    usage: 'How many API servers the cluster has; for --endpoint-reconciler-type=master-count.',
    deprecated: 'apiserver-count is deprecated and will be removed in a future version.',
  }),
  coordinatedLeadershipLeaseDuration: duration({
    default: 15_000,
    usage: 'How long a leader that the server chose is not replaced.',
  }),
  coordinatedLeadershipRenewDeadline: duration({ default: 10_000, usage: 'In how long it must renew.' }),
  coordinatedLeadershipRetryPeriod: duration({ default: 2_000, usage: 'How long others wait in between.' }),
  enableAggregatorRouting: bool({
    usage: 'Ask endpoints of extension servers, not the addresses of their services.',
  }),
  enableLogsHandler: bool({
    usage: 'Not supported by this server.',
    deprecated: 'Log handler functionality is deprecated',
  }),
  endpointReconcilerType: string({
    default: 'lease',
    usage:
      'How the endpoints of the service kubernetes are kept: lease, master-count, or none for not at all.',
  }),
  eventTtl: duration({ default: 3_600_000, usage: 'How long events are kept.' }),
  kubeletCertificateAuthority: string({
    usage: 'The authority of kubelets’ certificates; unchecked without it.',
  }),
  kubeletClientCertificate: string({ usage: 'The certificate shown to kubelets.' }),
  kubeletClientKey: string({ usage: 'The key of --kubelet-client-certificate.' }),
  kubeletPreferredAddressTypes: stringSlice({
    default: preferredAddressTypesDefault,
    usage: 'Which of a node’s addresses to take, the best first.',
  }),
  kubernetesServiceNodePort: int({
    usage: 'The port of every node that leads to the service kubernetes; 0 for none.',
  }),
  proxyClientCertFile: string({ usage: 'The certificate shown to extension servers.' }),
  proxyClientKeyFile: string({ usage: 'The key of --proxy-client-cert-file.' }),
  serviceAccountSigningEndpoint: string({
    usage: 'The socket of an external signer of tokens; in place of key files.',
  }),
  serviceAccountSigningKeyFile: string({ usage: 'The key that tokens are signed with.' }),
  serviceClusterIpRange: string({
    usage: 'Ranges of the addresses of services: one, or one of each family.',
  }),
  serviceNodePortRange: portRange({
    default: '30000-32767',
    usage: 'The ports that nodes open for services.',
  }),
});
