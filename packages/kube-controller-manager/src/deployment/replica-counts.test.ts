import { expect, test } from 'vitest';
import type { Deployment, ReplicaSet } from '../objects.ts';
import {
  maxSurge,
  maxUnavailable,
  newSetReplicas,
  scaleDownOld,
  scaleDownUnhealthy,
  scaleProportionally,
} from './replica-counts.ts';

const deployment = (replicas: number, surge: number | string, unavailable: number | string): Deployment =>
  ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web' },
    spec: {
      replicas,
      strategy: {
        type: 'RollingUpdate',
        rollingUpdate: { maxSurge: surge, maxUnavailable: unavailable },
      },
    },
  }) as unknown as Deployment;

const set = (name: string, replicas: number, available = replicas): ReplicaSet =>
  ({
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: { name, creationTimestamp: '2026-01-01T00:00:00Z' },
    spec: { replicas },
    status: { replicas, availableReplicas: available },
  }) as unknown as ReplicaSet;

const sizes = (scalings: readonly { readonly set: ReplicaSet; readonly replicas: number }[]) =>
  Object.fromEntries(scalings.map((scaling) => [scaling.set.metadata.name, scaling.replicas]));

test('percentages round the surge up and what may be missing down', () => {
  const web = deployment(10, '25%', '25%');
  expect([maxSurge(web), maxUnavailable(web)]).toEqual([3, 2]);
});

test('when both round to nothing, one pod may be missing', () => {
  expect(maxUnavailable(deployment(3, 0, '1%'))).toBe(1);
});

test('a new set grows into the room provided by the surge, and never beyond the desired count', () => {
  expect(newSetReplicas(deployment(10, 3, 2), [set('old', 10), set('new', 0)], 0)).toBe(3);
  expect(newSetReplicas(deployment(10, 3, 2), [set('old', 13), set('new', 0)], 0)).toBe(0);
  expect(newSetReplicas(deployment(2, 5, 0), [set('old', 1), set('new', 0)], 0)).toBe(2);
});

test('unavailable old pods go first', () => {
  expect(sizes(scaleDownUnhealthy([set('a', 5, 3), set('b', 4, 0)], 4))).toEqual({ a: 3, b: 2 });
});

test('serving old pods go as far as enough stay available', () => {
  const sets = [set('old', 10, 10), set('new', 3, 3)];
  expect(sizes(scaleDownOld(deployment(10, 3, 2), sets, [sets[0]!]))).toEqual({ old: 5 });
  expect(scaleDownOld(deployment(10, 3, 2), [set('old', 8), set('new', 3, 0)], [set('old', 8)])).toEqual([]);
});

test('a change of size in the middle of a rollout is shared in proportion, to the last pod', () => {
  const scalings = scaleProportionally(deployment(20, 3, 2), [set('old', 8), set('new', 5)], () => 13);
  const after = sizes(scalings);
  expect(after['old']! + after['new']!).toBe(23);
  expect(after['old']).toBeGreaterThan(after['new']!);
});
