import type { ResolvedKubeconfig } from '@coxswain/client/kubeconfig/kubeconfig.ts';

/** Whether there are no credentials, but the server can receive some securely. */
export function needsLogin({ cluster, user }: ResolvedKubeconfig): boolean {
  const proofs = [
    user.username,
    user.token,
    user.tokenFile,
    user['client-certificate'],
    user['client-certificate-data'],
    user.exec,
    user['auth-provider'],
  ];
  return cluster.server?.startsWith('https://') === true && !proofs.some(Boolean);
}
