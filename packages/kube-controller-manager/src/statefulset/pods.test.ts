import { expect, test } from 'vitest';
import type { ControllerRevision, Pod, StatefulSet } from '../objects.ts';
import { ordinalOf } from './ordinals.ts';
import { arrangePods, updatePods } from './pods.ts';
import { StatefulSetRun } from './stateful-set-run.ts';

const replicasMax = 2 ** 31 - 1;
const template = { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
const revision = {
  metadata: { name: 'web-1', namespace: 'default' },
  revision: 1,
  data: { spec: { template } },
} as unknown as ControllerRevision;

const pod = (ordinal: number): Pod =>
  ({
    metadata: {
      name: `web-${ordinal}`,
      namespace: 'default',
      labels: {
        'controller-revision-hash': 'web-1',
        'statefulset.kubernetes.io/pod-name': `web-${ordinal}`,
      },
    },
    spec: template.spec,
    status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] },
  }) as unknown as Pod;

function arranged(replicas: number, pods: readonly Pod[], deleted: string[] = []): StatefulSetRun {
  const set = {
    metadata: { name: 'web', namespace: 'default' },
    spec: { replicas, podManagementPolicy: 'Parallel', template, updateStrategy: { type: 'RollingUpdate' } },
  } as unknown as StatefulSet;
  const claims = {
    isStale: () => false,
    create: async () => {},
    updateOwners: async () => {},
    ownersMatch: () => true,
  };
  const podClient = {
    create: async (created: Pod) => created,
    delete: async (name: string) => void deleted.push(name),
  };
  const events = { event: () => undefined };
  const options = { set, pods, revisions: [], claims, podClient, events, nowMs: 0, wrote: () => undefined };
  const run = new StatefulSetRun(options as never);
  run.current = run.update = revision;
  arrangePods(run);
  return run;
}

test('of the pods that are missing, one reconciliation lists a limited number', () => {
  const { replicas, condemned, furtherMissing } = arranged(replicasMax, []);

  expect(replicas.map(ordinalOf)).toEqual(Array.from({ length: 500 }, (_, at) => at));
  expect(condemned).toEqual([]);
  expect(furtherMissing).toBe(replicasMax - 500);
});

test('pods that exist are all listed, in their order', () => {
  const { replicas, furtherMissing } = arranged(replicasMax, [pod(2_000_000_000), pod(1), pod(1_000)]);

  expect(replicas.length).toBe(503);
  expect([1, 501, 502].map((at) => ordinalOf(replicas[at]!))).toEqual([1, 1_000, 2_000_000_000]);
  expect(furtherMissing).toBe(replicasMax - 503);
});

test('pods beyond the number of replicas are condemned, the last one first', () => {
  const { replicas, condemned, furtherMissing } = arranged(2, [pod(0), pod(3), pod(9)]);

  expect(replicas.map(ordinalOf)).toEqual([0, 1]);
  expect(condemned.map(ordinalOf)).toEqual([9, 3]);
  expect(furtherMissing).toBe(0);
});

test('while further pods are missing, none is deleted for an update', async () => {
  const deleted: string[] = [];
  const run = arranged(replicasMax, [pod(0)], deleted);
  run.update = { ...revision, metadata: { ...revision.metadata, name: 'web-2' } };

  await updatePods(run);

  expect(deleted).toEqual([]);
});
