import { expect, test } from 'vitest';
import { node, pod } from '../../test/memory-cluster.ts';
import { podInfo, updatedPodInfo } from './pod-info.ts';
import { NodeInfo } from './node-info.ts';
import { SchedulerCache } from './scheduler-cache.ts';

const sized = (name: string, more: object = {}) =>
  pod(name, {
    metadata: { uid: name, generation: 1, labels: { app: 'web' } },
    spec: {
      nodeName: 'a',
      containers: [{ name: 'c', image: 'i', resources: { requests: { cpu: '500m' } } }],
      ...more,
    },
  });
const running = (name: string, more: object = {}) => ({
  ...sized(name, more),
  status: { phase: 'Running' as const, startTime: '2026-01-01T00:00:00Z' },
});

const avoiding = {
  affinity: {
    podAntiAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: [
        { topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: { app: 'web' } } },
      ],
    },
  },
};

function nodeWith(...pods: readonly ReturnType<typeof sized>[]): NodeInfo {
  const info = new NodeInfo('a', 0);
  info.setNode(node('a'));
  for (const one of pods) info.addPod(podInfo(one));
  return info;
}

const sumsOf = (info: NodeInfo) => ({
  milliCpu: info.requested.milliCpu,
  groups: [...info.labelGroups.values()].map(({ alive, all }) => ({ alive, all })),
  pods: info.pods.size,
});

test('a newer state of a pod goes behind the others and changes no sum', () => {
  const info = nodeWith(sized('first'), sized('second'));
  const before = sumsOf(info);
  info.renewPod(updatedPodInfo(info.pods.get('first')!, running('first')));

  expect([...info.pods.keys()]).toEqual(['second', 'first']);
  expect(info.pods.get('first')?.pod.status?.phase).toBe('Running');
  expect(sumsOf(info)).toEqual(before);
});

test('updating a pod changes the version of its node, which invalidates what was cached for it', () => {
  const info = nodeWith(sized('first'));
  const before = info.version;
  info.renewPod(updatedPodInfo(info.pods.get('first')!, running('first')));

  expect(info.version).toBeGreaterThan(before);
});

test('a newer state of a pod is the one that affinity is asked of', () => {
  const info = nodeWith(sized('first', avoiding), sized('second', avoiding));
  info.renewPod(updatedPodInfo(info.pods.get('first')!, running('first', avoiding)));

  for (const pods of [info.podsWithAffinity, info.podsWithRequiredAntiAffinity]) {
    expect([...pods.keys()]).toEqual(['second', 'first']);
    expect(pods.get('first')?.pod.status?.phase).toBe('Running');
  }
});

test('a pod that is about to go is no mere newer state: it counts as leaving', () => {
  const cache = new SchedulerCache();
  cache.setNode(node('a'));
  cache.setPod(sized('first'));
  const leaving = sized('first');
  cache.setPod({
    ...leaving,
    metadata: { ...leaving.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' },
  });

  expect(sumsOf(cache.node('a')!).groups).toEqual([{ alive: 0, all: 1 }]);
});

test('no two states of nodes have the same version, also of one that takes the number of another', () => {
  const cache = new SchedulerCache();
  cache.setNode(node('a'));
  const { slot, version } = cache.node('a')!;
  cache.removeNode('a');
  cache.setNode(node('b'));

  expect(cache.node('b')!.slot).toBe(slot);
  expect(cache.node('b')!.version).toBeGreaterThan(version);
});

test('a container that is being resized counts with the larger of what it requests and still has', () => {
  const cache = new SchedulerCache();
  cache.setNode(node('a'));
  cache.setPod(sized('first'));
  const resized = (held: string, allocated: string, reason?: string) => {
    const status = {
      ...running('first').status,
      ...(reason && { conditions: [{ type: 'PodResizePending', status: 'True', reason }] }),
      containerStatuses: [
        { name: 'c', resources: { requests: { cpu: held } }, allocatedResources: { cpu: allocated } },
      ],
    };
    cache.setPod({ ...sized('first'), status } as never);
    return sumsOf(cache.node('a')!).milliCpu;
  };

  expect(resized('800m', '700m')).toBe(800);
  expect(resized('600m', '700m')).toBe(700);
  expect(resized('400m', '300m')).toBe(500);
  expect(resized('400m', '300m', 'Deferred')).toBe(500);
  expect(resized('400m', '300m', 'Infeasible')).toBe(400);
});
