/** How the API server of a cluster of one process is reached, and how it reaches kubelets. */
import type { KubeApiServerSettings } from '@coxswain/kube-apiserver';
import { versionNamed } from '@coxswain/component-base/effective-version.ts';
import { frontProxyName, type ClusterCertificates } from '../certificates/certificates.ts';
import { serviceClusterIpRange } from '../components/cluster-addresses.ts';
import type { ClusterOptions } from './cluster-options.ts';

/** What is served, addresses, keys, and who is let in. */
export function servingSettings({
  runtimeConfig,
  featureGates,
  version,
  disableAdmissionPlugins,
  hostName,
  port,
  bindAddress,
  advertiseAddress,
  certificates,
  joinable,
  realNode,
  guardsNodes = joinable !== undefined || realNode !== undefined,
}: ClusterOptions): Partial<KubeApiServerSettings> {
  return {
    runtimeConfig,
    serviceClusterIpRanges: [serviceClusterIpRange],
    ...(hostName !== undefined && { hostName }),
    ...(featureGates && { featureGates }),
    ...(version !== undefined && { version: versionNamed(version) }),
    ...(disableAdmissionPlugins && { disableAdmissionPlugins }),
    ...(bindAddress !== undefined && { bindAddress }),
    ...(advertiseAddress !== undefined && { advertiseAddress }),
    ...(joinable !== undefined && {
      bindAddress: joinable.bindAddress,
      advertiseAddress: joinable.advertiseAddress,
    }),
    authenticationFlags: {
      ...(joinable !== undefined && { hasBootstrapTokens: true }),
      ...(certificates !== undefined && { requestHeader: frontProxy(certificates) }),
    },
    // A real node may read and write what concerns its own pods, whether it is of this process or of another one.
    ...(guardsNodes && {
      authorizationModes: ['Node', 'RBAC'] as const,
      enableAdmissionPlugins: ['NodeRestriction'],
    }),
    ...(port !== undefined && { securePort: port }),
    ...(certificates === undefined && { makesServiceAccountKey: true }),
    ...(certificates !== undefined && {
      tlsCertFile: certificates.servingCertFile,
      tlsPrivateKeyFile: certificates.servingKeyFile,
      clientCaFile: certificates.caCertFile,
      serviceAccountKeyFiles: [certificates.serviceAccountPublicKeyFile],
      serviceAccountSigningKeyFile: certificates.serviceAccountKeyFile,
    }),
  };
}

/** How extension servers know the aggregator, and whose requests it passes on; headers are those of kubeadm's clusters. */
const frontProxy = ({ frontProxyCaCertFile }: ClusterCertificates) => ({
  clientCaFile: frontProxyCaCertFile,
  allowedNames: [frontProxyName],
  usernameHeaders: ['X-Remote-User'],
  uidHeaders: [],
  groupHeaders: ['X-Remote-Group'],
  extraHeaderPrefixes: ['X-Remote-Extra-'],
});

/** A real node is found by its address; its name need not resolve. */
export const nearAddressTypes = ['InternalIP', 'ExternalIP', 'Hostname'] as const;

/** What this server shows to kubelets of other processes. */
export const kubeletClient = ({ certificates }: ClusterOptions) => ({
  certificateFile: certificates?.adminCertFile,
  keyFile: certificates?.adminKeyFile,
});

/** What it shows to extension servers. */
export const aggregatorClient = ({ certificates }: ClusterOptions) => ({
  certificateFile: certificates?.frontProxyCertFile,
  keyFile: certificates?.frontProxyKeyFile,
});
