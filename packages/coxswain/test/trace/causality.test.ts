import { systemClock, systemRandom } from '@coxswain/apimachinery';
import { runKubectl } from '@coxswain/kubectl';
import { processIo } from '@coxswain/kubectl/process-io.ts';
import type { Recorder } from '@coxswain/trace/recorder.ts';
import type { Undertaking } from '@coxswain/trace/recording.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startCluster, type Cluster } from '../../src/cluster/cluster.ts';
import { nodeRecorder } from '../../src/trace/node-recorder.ts';

let recorder: Recorder;
let cluster: Cluster;

beforeAll(async () => {
  recorder = nodeRecorder();
  cluster = await startCluster({ observer: recorder.observer });
  const io = processIo();
  const kubectl = (command: string) =>
    runKubectl(command.split(' '), {
      ...io,
      out: { ...io.out, write: () => undefined },
      clock: systemClock,
      random: systemRandom,
      transport: cluster.transport(),
      observer: recorder.observer.scope?.(() => ({ kind: 'command', component: 'kubectl', name: command })),
    });
  await kubectl('create deployment web --image=nginx');
  await kubectl('rollout status deployment/web');
});
afterAll(() => cluster.stop());

const all = (): readonly Undertaking[] => recorder.recording().undertakings;

/** Follows the first causes from an effect back to what nothing caused. */
function backFrom(effect: Undertaking): readonly Undertaking[] {
  const byId = new Map(all().map((undertaking) => [undertaking.id, undertaking]));
  const way = [effect];
  for (
    let cause = byId.get(effect.causes[0] ?? '');
    cause !== undefined;
    cause = byId.get(cause.causes[0] ?? '')
  )
    way.unshift(cause);
  return way;
}

const containerStarts = (): Undertaking =>
  all().find(
    ({ kind, steps }) => kind === 'sync' && JSON.stringify(steps).includes('"runtime/startContainer"'),
  )!;

test('a running container leads back to the command', () => {
  expect(backFrom(containerStarts()).map(({ component }) => component)).toEqual([
    'kubectl',
    'kube-apiserver',
    'deployment-controller',
    'kube-apiserver',
    'replicaset-controller',
    'kube-apiserver',
    'kube-scheduler',
    'kube-apiserver',
    'kubelet/node-0',
    'kubelet/node-0',
  ]);
});

test('each link says how: a call, or the write of a revision that was seen', () => {
  const way = backFrom(containerStarts());
  for (const [index, { links = [], name }] of way.entries()) {
    if (index === 0) continue;
    const cause = way[index - 1]!;
    const link = links.find(({ from }) => from === cause.id)!;
    const writes = cause.values?.['writes'] as readonly { readonly revision: number }[] | undefined;
    if (link.by === 'revision') expect(writes?.map(({ revision }) => revision)).toContain(link.revision);
    else expect([name, link.by]).toEqual([name, cause.kind === 'sync' ? 'queue' : 'call']);
  }
});

test('no reconcile, attempt or sync after the command is without a cause', () => {
  const begun = all().find(({ kind }) => kind === 'command')!.startNs;
  const later = all().filter(
    ({ kind, startNs, component }) =>
      startNs > begun && ['reconcile', 'schedule', 'sync'].includes(kind) && component !== 'leader-election',
  );
  expect(
    later
      .filter(({ causes }) => causes.length === 0)
      .map(({ component, name, startNs }) => [component, name, startNs]),
  ).toEqual([]);
});
