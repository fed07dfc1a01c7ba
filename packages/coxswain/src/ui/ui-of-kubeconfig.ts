/** The page for the cluster of a kubeconfig, with the rights of its user. */

import { resolveKubeconfig } from '@coxswain/client/kubeconfig/resolve.ts';
import { loadKubeconfig, transportOf } from '@coxswain/client/node.ts';
import { serveUi, type UiServer } from './ui-server.ts';

export interface KubeconfigChoice {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Those of the environment, if empty. */
  readonly file: string;
  /** The current one, if empty. */
  readonly context: string;
}

/** @throws Error for a kubeconfig that cannot be used, and where the port is taken */
export async function uiOfKubeconfig(
  { env, file, context }: KubeconfigChoice,
  port: number,
  recording?: string,
): Promise<UiServer> {
  const config = loadKubeconfig({ env, ...(file && { file }) });
  const overrides = context === '' ? {} : { context };
  const resolved = resolveKubeconfig(config, overrides);
  const cluster = context || config['current-context'] || resolved.context.cluster || '';
  const transport = transportOf(resolved);
  const server = await serveUi({
    transport,
    port,
    facts: { cluster, namespace: resolved.namespace },
    ...(recording !== undefined && { recording }),
  });
  return {
    ...server,
    close: async () => {
      await server.close();
      await transport.close();
    },
  };
}

/** On another port where the usual one is taken, as by another cluster. */
export async function uiNearPort(choice: KubeconfigChoice, port: number): Promise<UiServer> {
  try {
    return await uiOfKubeconfig(choice, port);
  } catch (failure) {
    if ((failure as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw failure;
    return uiOfKubeconfig(choice, 0);
  }
}
