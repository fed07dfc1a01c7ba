/** Queries a running server for what only `coxswain up` provides: its recordings and routes. */

import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import type { KubeClient } from '@coxswain/client';
import { connect, loadKubeconfig } from '@coxswain/client/node.ts';
import { resolveKubeconfig } from '@coxswain/client/kubeconfig/resolve.ts';

export interface RunningServer {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Overrides the kubeconfig of `env`, unless empty. */
  readonly kubeconfig: string;
}

export interface AskedServer {
  readonly client: KubeClient;
  /** Returns the text of the response. @throws Error with one line naming the server */
  ask(verb: string, path: string): Promise<string>;
}

/** @param lack the message for a server without these paths: `keeps no recordings` */
export function askServer({ env, kubeconfig }: RunningServer, lack: string): AskedServer {
  const config = loadKubeconfig({ env, file: kubeconfig });
  const { server = '' } = resolveKubeconfig(config).cluster ?? {};
  const client = connect(config);
  return {
    client,
    async ask(verb, path) {
      const response = await client.rest.raw({ verb, path }).catch((cause: unknown) => {
        throw new Error(`the server at ${server} can't be reached: ${messageOf(cause)}`, { cause });
      });
      const text = new TextDecoder().decode(await response.bytes());
      if (response.status < 300) return text;
      if (response.status === 404 || response.status === 405)
        throw new Error(`the server at ${server} ${lack}: it is not a "coxswain up" of this version`);
      throw new Error(`the server at ${server} answered ${response.status}: ${messageIn(text)}`);
    },
  };
}

/** The message of a Status, if it is one. */
function messageIn(text: string): string {
  try {
    const { message } = JSON.parse(text) as { readonly message?: unknown };
    if (typeof message === 'string') return message;
  } catch {
    // Proxies may answer with HTML pages.
  }
  return text.trim().split('\n', 1)[0]!;
}
