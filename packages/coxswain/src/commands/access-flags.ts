/** How the access commands find their cluster. */
import { commandFor, string } from '@coxswain/cobra';
import { discoveryClient, restMapper, type KubeClient, type RestMapper } from '@coxswain/client';
import { resolveKubeconfig } from '@coxswain/client/kubeconfig/resolve.ts';
import { connect, loadKubeconfig } from '@coxswain/client/node.ts';
import type { ProgramIo } from '../program/program-io.ts';

export const accessCommand = commandFor<ProgramIo>();

export const connectionFlags = {
  namespace: string({ shorthand: 'n', usage: 'The namespace. Defaults to the namespace of the context.' }),
  kubeconfig: string({ usage: 'The kubeconfig file to use.' }),
  context: string({ usage: 'The name of the kubeconfig context to use.' }),
};

export interface ConnectionFlags {
  readonly namespace: string;
  readonly kubeconfig: string;
  readonly context: string;
}

export interface ConnectedCluster {
  readonly client: KubeClient;
  readonly mapper: RestMapper;
  readonly namespace: string;
}

/** @throws Error if the kubeconfig is unusable or the server doesn't answer */
export async function withCluster(
  io: ProgramIo,
  flags: ConnectionFlags,
  work: (cluster: ConnectedCluster) => Promise<void>,
): Promise<void> {
  const config = loadKubeconfig({ env: io.env, file: flags.kubeconfig });
  const overrides = flags.context === '' ? {} : { context: flags.context };
  const namespace = flags.namespace || resolveKubeconfig(config, overrides).namespace;
  const client = connect(config, { overrides });
  try {
    await work({ client, mapper: restMapper(await discoveryClient(client.rest).discover()), namespace });
  } finally {
    await client.close();
  }
}
