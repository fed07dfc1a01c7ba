/** Serves the page for the cluster of a kubeconfig, with the rights of its user. */

import type { Transport } from '@coxswain/client';
import { resolveKubeconfig } from '@coxswain/client/kubeconfig/resolve.ts';
import { loadKubeconfig, transportOf } from '@coxswain/client/node.ts';
import type { Recording } from '@coxswain/trace/recording.ts';
import { serveUi, type UiFacts, type UiPlace, type UiServer } from './ui-server.ts';

export interface KubeconfigChoice {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Defaults to the files of the environment. */
  readonly file: string;
  /** Defaults to the current context. */
  readonly context: string;
}

/** @throws Error if the kubeconfig cannot be used, or the port is taken */
export async function uiOfKubeconfig(
  choice: KubeconfigChoice,
  place: UiPlace,
  recording?: Recording,
): Promise<UiServer> {
  const cluster = connected(choice, recording === undefined ? undefined : unreachable);
  return serveUi({
    ...cluster,
    ...place,
    ...(recording !== undefined && { recording: JSON.stringify(recording) }),
  });
}

interface Connected {
  readonly transport: Transport;
  readonly facts: UiFacts;
}

/** @param otherwise used if the kubeconfig is unusable, since a recording needs no cluster */
function connected(choice: KubeconfigChoice, otherwise: Connected | undefined): Connected {
  try {
    const { env, file, context } = choice;
    const config = loadKubeconfig({ env, file });
    const resolved = resolveKubeconfig(config, context === '' ? {} : { context });
    const cluster = context || config['current-context'] || resolved.context.cluster || '';
    return { transport: transportOf(resolved), facts: { cluster, namespace: resolved.namespace } };
  } catch (failure) {
    if (otherwise === undefined) throw failure;
    return otherwise;
  }
}

const unreachable: Connected = {
  transport: {
    structured: false,
    address: '',
    send: () => Promise.reject(new Error('there is no kubeconfig')),
    close: async () => {},
  },
  facts: { cluster: '', namespace: 'default' },
};
