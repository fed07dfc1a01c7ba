import { expect, test } from 'vitest';
import type { Pod } from '../objects.ts';
import { burstReplicas, planReplicas } from './plan.ts';

const nowMs = Date.parse('2026-01-01T01:00:00Z');

const pod = (name: string, nodeName?: string, ready = true): Pod =>
  ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'default', creationTimestamp: '2026-01-01T00:00:00Z' },
    spec: { containers: [], ...(nodeName === undefined ? {} : { nodeName }) },
    status: {
      phase: nodeName === undefined ? 'Pending' : 'Running',
      conditions: [
        { type: 'Ready', status: ready ? 'True' : 'False', lastTransitionTime: '2026-01-01T00:00:00Z' },
      ],
    },
  }) as unknown as Pod;

const deletedOf = (replicas: number, pods: readonly Pod[], related = pods): (string | undefined)[] => {
  const plan = planReplicas(replicas, pods, () => related, nowMs);
  return plan.do === 'delete' ? plan.pods.map(({ metadata }) => metadata.name) : [];
};

test('enough pods are left alone', () => {
  expect(planReplicas(1, [pod('a')], () => [], nowMs)).toEqual({ do: 'nothing' });
});

test('missing pods are created, a burst at a time', () => {
  expect(planReplicas(3, [pod('a')], () => [], nowMs)).toEqual({ do: 'create', count: 2 });
  expect(planReplicas(9_000, [], () => [], nowMs)).toEqual({ do: 'create', count: burstReplicas });
});

test('pods without a node go first, then those that are not ready', () => {
  const pods = [pod('serving', 'n1'), pod('broken', 'n1', false), pod('waiting')];
  expect(deletedOf(2, pods)).toEqual(['waiting']);
  expect(deletedOf(1, pods)).toEqual(['waiting', 'broken']);
});

test('a node that has more of the owner’s pods gives one up', () => {
  const pods = [pod('alone', 'n1'), pod('crowded', 'n2')];
  expect(deletedOf(1, pods, [...pods, pod('sibling', 'n2')])).toEqual(['crowded']);
});
