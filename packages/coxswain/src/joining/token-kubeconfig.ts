/** Builds a kubeconfig from a token and the known authority of the cluster. */
import type { Kubeconfig } from '@coxswain/client';
import { formatBootstrapToken, type BootstrapToken } from './bootstrap-token.ts';
import type { ClusterInfo } from './cluster-info.ts';

export const tokenKubeconfig = (
  { server, certificateAuthority }: ClusterInfo,
  token: BootstrapToken,
): Kubeconfig => ({
  apiVersion: 'v1',
  kind: 'Config',
  clusters: [
    {
      name: 'cluster',
      cluster: {
        server,
        'certificate-authority-data': Buffer.from(certificateAuthority).toString('base64'),
      },
    },
  ],
  users: [{ name: 'joiner', user: { token: formatBootstrapToken(token) } }],
  contexts: [{ name: 'joiner', context: { cluster: 'cluster', user: 'joiner' } }],
  'current-context': 'joiner',
});
