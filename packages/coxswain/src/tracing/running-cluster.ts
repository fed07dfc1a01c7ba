/** A cluster that is already running, reached through its kubeconfig: its server is asked for recordings. */

import { whoAmI } from '@coxswain/apiserver/authorization/rbac/explain/server-answer.ts';
import { merged } from '@coxswain/trace/merge.ts';
import { parseRecording } from '@coxswain/trace/recording.ts';
import type { Selection } from '@coxswain/trace/select.ts';
import { nodeRecorder } from '../trace/node-recorder.ts';
import { recordingPath } from '../trace/recording-paths.ts';
import { askServer, type RunningServer } from './ask-server.ts';
import type { TracedCluster, TracedPart } from './traced-cluster.ts';

export interface RunningClusterOptions extends RunningServer {
  readonly selection: Selection;
  readonly showsSecrets: boolean;
}

export function runningCluster(options: RunningClusterOptions): TracedCluster {
  const { env, kubeconfig, selection, showsSecrets } = options;
  const { client, ask } = askServer(options, 'keeps no recordings');
  const recorder = nodeRecorder();
  const asked = new URLSearchParams(Object.entries(selection).filter(([, value]) => value !== ''));
  const secrets = showsSecrets ? '?secrets=true' : '';
  if (showsSecrets) asked.set('secrets', 'true');
  let user: string | undefined;
  return {
    observer: recorder.observer,
    isOwn: false,
    get commandUser() {
      return user;
    },
    environment: () => Promise.resolve({ KUBECONFIG: kubeconfig || env['KUBECONFIG'] || '' }),
    async record(): Promise<TracedPart> {
      // Servers before 1.28 lack SelfSubjectReview.
      user ??= await whoAmI(client).then(
        ({ name }) => name,
        () => undefined,
      );
      const own = recorder.fromNow();
      const { id } = JSON.parse(await ask('POST', recordingPath + secrets)) as { readonly id: string };
      const path = `${recordingPath}/${id}`;
      return {
        async names() {
          const { names } = JSON.parse(await ask('GET', `${path}?${asked}&names=true`)) as {
            readonly names: readonly string[];
          };
          return [...own.names(), ...names];
        },
        soFar: async () =>
          merged(own.soFar({ showsSecrets }), parseRecording(await ask('GET', `${path}?${asked}`))),
        end: async () => void (await ask('DELETE', `${path}?names=true`).catch(() => undefined)),
      };
    },
    stop: () => client.close(),
  };
}
