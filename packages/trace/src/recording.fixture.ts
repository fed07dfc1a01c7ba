/** An example recording, written by hand: a command, its request, and a controller that sees the write. */

import type { Recording, Step } from './recording.ts';

export const ms = 1_000_000;

export const step = (name: string, startMs: number, durationMs: number, more: Partial<Step> = {}): Step => ({
  name,
  startNs: startMs * ms,
  durationNs: durationMs * ms,
  file: 'packages/apiserver/src/handlers/create.ts',
  line: 22,
  column: 3,
  function: name,
  steps: [],
  ...more,
});

const filter = (name: string, startMs: number, durationMs: number, next: readonly Step[]): Step =>
  step(name, startMs, durationMs, {
    file: 'packages/apiserver/src/filters/filter.ts',
    definition: { file: `packages/apiserver/src/filters/${name}.ts`, line: 9 },
    steps: next,
  });

const ids = { command: '41a0000000000001', request: '9f31000000000002', reconcile: '1e2f000000000003' };

const handler = step('handler/post', 4, 5, {
  steps: [
    step('decode', 4, 1),
    step('encode', 5, 0.01),
    step('encrypt', 5.01, 0.01),
    step('storage.transact', 6, 2, {
      file: 'packages/storage/src/engine/engine-storage.ts',
      line: 89,
      values: { key: '/registry/pods/default/web', diff: [{ path: 'spec.replicas', before: 1, after: 3 }] },
    }),
  ],
});

export const sample: Recording = {
  apiVersion: 'trace.coxswain.io/v1',
  startTime: '2026-11-28T06:45:00.123456789Z',
  undertakings: [
    {
      id: ids.command,
      kind: 'command',
      component: 'kubectl',
      name: 'kubectl create -f pod.yaml',
      startNs: 0,
      durationNs: 11 * ms,
      causes: [],
      steps: [step('run', 1, 9, { file: 'packages/kubectl/src/commands/create.ts' })],
    },
    {
      id: ids.request,
      kind: 'request',
      component: 'kube-apiserver',
      name: 'POST /api/v1/namespaces/default/pods',
      startNs: 3 * ms,
      durationNs: 6 * ms,
      values: { code: 201, revision: 7 },
      causes: [ids.command],
      links: [{ from: ids.command, by: 'call' }],
      steps: [filter('authenticate', 3, 6, [filter('authorize', 3.5, 5.5, [handler])])],
    },
    {
      id: ids.reconcile,
      kind: 'reconcile',
      component: 'replicaset-controller',
      name: 'default/web',
      startNs: 12 * ms,
      causes: [ids.request],
      links: [{ from: ids.request, by: 'revision', revision: 7, key: '/registry/pods/default/web' }],
      steps: [step('sync', 12, 1, { failure: 'conflict' })],
    },
  ],
};
