/** How the API server of a single-process cluster is reached, and how it reaches kubelets. */
import type { KubeApiServerSettings } from '@coxswain/kube-apiserver';
import { versionNamed } from '@coxswain/component-base/effective-version.ts';
import { frontProxyName, type ClusterCertificates } from '../certificates/certificates.ts';
import { serviceClusterIpRange } from '../components/cluster-addresses.ts';
import type { ClusterOptions } from './cluster-options.ts';

/** The served APIs, addresses, keys, and authentication. */
export function servingSettings({
  runtimeConfig,
  encryption,
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
    // Whichever thread serves a write encrypts it.
    ...(encryption && { encryption }),
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
    // A real node, of this process or another, may only read and write what concerns its own pods.
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

/**
 * How extension servers recognize the aggregator and learn whose request it forwards; the headers are those of
 * kubeadm's clusters.
 */
const frontProxy = ({ frontProxyCaCertFile }: ClusterCertificates) => ({
  clientCaFile: frontProxyCaCertFile,
  allowedNames: [frontProxyName],
  usernameHeaders: ['X-Remote-User'],
  uidHeaders: [],
  groupHeaders: ['X-Remote-Group'],
  extraHeaderPrefixes: ['X-Remote-Extra-'],
});

/** A real node is reached by its address; its name need not resolve. */
export const nearAddressTypes = ['InternalIP', 'ExternalIP', 'Hostname'] as const;

/** The client certificate that this server presents to kubelets of other processes. */
export const kubeletClient = ({ certificates }: ClusterOptions) => ({
  certificateFile: certificates?.adminCertFile,
  keyFile: certificates?.adminKeyFile,
});

/** The client certificate that it presents to extension servers. */
export const aggregatorClient = ({ certificates }: ClusterOptions) => ({
  certificateFile: certificates?.frontProxyCertFile,
  keyFile: certificates?.frontProxyKeyFile,
});
