/** A cluster that runs already, reached through its kubeconfig: its server is asked for what it did. */

import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import type { KubeClient } from '@coxswain/client';
import { connect, loadKubeconfig } from '@coxswain/client/node.ts';
import { resolveKubeconfig } from '@coxswain/client/kubeconfig/resolve.ts';
import { merged } from '@coxswain/trace/merge.ts';
import { parseRecording } from '@coxswain/trace/recording.ts';
import type { Selection } from '@coxswain/trace/select.ts';
import { nodeRecorder } from '../trace/node-recorder.ts';
import { recordingPath } from '../trace/recording-paths.ts';
import type { TracedCluster } from './traced-cluster.ts';

export interface RunningClusterOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Instead of what `env` says. */
  readonly kubeconfig: string;
  readonly selection: Selection;
}

export function runningCluster({ env, kubeconfig, selection }: RunningClusterOptions): TracedCluster {
  const config = loadKubeconfig({ env, ...(kubeconfig !== '' && { file: kubeconfig }) });
  const { server = '' } = resolveKubeconfig(config).cluster ?? {};
  const client = connect(config);
  const recorder = nodeRecorder();
  const asked = new URLSearchParams(Object.entries(selection).filter(([, value]) => value !== ''));
  const ask = async (verb: string, path: string): Promise<string> => {
    const response = await client.rest.raw({ verb, path }).catch((cause: unknown) => {
      throw new Error(`the server at ${server} can't be reached: ${messageOf(cause)}`, { cause });
    });
    const text = new TextDecoder().decode(await response.bytes());
    if (response.status >= 300) throw new Error(refusal(response.status, text, server));
    return text;
  };
  let id: string | undefined;
  let user: string | undefined;
  return {
    observer: recorder.observer,
    isOwn: false,
    get commandUser() {
      return user;
    },
    environment: () => Promise.resolve({ KUBECONFIG: kubeconfig || env['KUBECONFIG'] || '' }),
    async record() {
      user ??= await ownName(client);
      id = (JSON.parse(await ask('POST', recordingPath)) as { id: string }).id;
      return async () =>
        merged(recorder.recording(), parseRecording(await ask('GET', `${recordingPath}/${id}?${asked}`)));
    },
    async stop() {
      if (id !== undefined) await ask('DELETE', `${recordingPath}/${id}?verb=none`).catch(() => undefined);
      await client.close();
    },
  };
}

/** Who commands with this kubeconfig are to the server. */
async function ownName(client: KubeClient): Promise<string | undefined> {
  const review = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' };
  const path = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
  const response = await client.rest.raw({ verb: 'POST', path, body: review }).catch(() => undefined);
  if (response?.status !== 201) return undefined;
  const { status } = JSON.parse(new TextDecoder().decode(await response.bytes())) as {
    readonly status?: { readonly userInfo?: { readonly username?: string } };
  };
  return status?.userInfo?.username;
}

function refusal(status: number, text: string, server: string): string {
  if (status === 404 || status === 405)
    return `the server at ${server} keeps no recordings: it is no "coxswain up" of this version`;
  return `the server at ${server} gives no recording (${status}): ${messageIn(text)}`;
}

/** Of a Status, if it is one. */
function messageIn(text: string): string {
  try {
    const { message } = JSON.parse(text) as { readonly message?: unknown };
    if (typeof message === 'string') return message;
  } catch {
    // Proxies answer with pages.
  }
  return text.trim().split('\n', 1)[0]!;
}
