/** Support for commands that work with any cluster, through the kubeconfig that kubectl uses. */
import { string } from '@coxswain/cobra';
import type { KubeClient } from '@coxswain/client';
import type { ProgramIo } from '../program/program-io.ts';

export const contextFlag = string({ usage: 'The name of the kubeconfig context to use.' });

/** Calls a function with a client for the cluster, then closes the client. */
export async function withAnyCluster<T>(
  io: ProgramIo,
  { kubeconfig, context }: { readonly kubeconfig: string; readonly context: string },
  action: (client: KubeClient) => Promise<T>,
): Promise<T> {
  const { connect, loadKubeconfig } = await import('@coxswain/client/node.ts');
  const config = loadKubeconfig({ env: io.env, ...(kubeconfig !== '' && { file: kubeconfig }) });
  const client = connect(config, {
    overrides: context === '' ? {} : { context },
    userAgent: 'coxswain-backup',
  });
  try {
    return await action(client);
  } finally {
    await client.close();
  }
}
