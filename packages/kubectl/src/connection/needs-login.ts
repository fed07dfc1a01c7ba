import type { ResolvedKubeconfig } from '@coxswain/client/kubeconfig/kubeconfig.ts';

/** Whether nothing says who the user is, where a server can be told so safely. */
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
