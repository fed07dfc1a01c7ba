import { existsSync } from 'node:fs';
import { string } from '@coxswain/cobra';
import type { KubeClient } from '@coxswain/client';
import { defaultDataDirectory, kubeconfigIn } from '../../local/data-directory.ts';
import type { ProgramIo } from '../../program/program-io.ts';

export const kubeconfigFlag = string({
  usage:
    'The kubeconfig file to use. Defaults to that of the server on this machine, or to the one that kubectl uses.',
});

/** Calls a function with a client for the cluster, then closes the client. */
export async function withCluster<T>(
  io: ProgramIo,
  kubeconfig: string,
  action: (client: KubeClient) => Promise<T>,
): Promise<T> {
  const { connect, loadKubeconfig } = await import('@coxswain/client/node.ts');
  const own = kubeconfigIn(defaultDataDirectory(io.env));
  const file = kubeconfig || (io.env['KUBECONFIG'] || !existsSync(own) ? '' : own);
  const client = connect(loadKubeconfig({ env: io.env, file }), {
    userAgent: 'coxswain-token',
  });
  try {
    return await action(client);
  } finally {
    await client.close();
  }
}
