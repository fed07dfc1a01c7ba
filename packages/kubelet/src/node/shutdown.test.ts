import { ManualClock } from '@coxswain/apimachinery';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { expect, test } from 'vitest';
import { isMachineGoingDown } from './going-down.ts';
import { NodeShutdown, podsByGroup, shutdownGroups } from './shutdown.ts';

const settings = {
  shutdownGracePeriod: 30_000,
  shutdownGracePeriodCriticalPods: 10_000,
  shutdownGracePeriodByPodPriority: [],
};
const pod = (name: string, priority?: number, terminationGracePeriodSeconds?: number): Pod =>
  ({
    metadata: { name, uid: name },
    spec: { containers: [], priority, terminationGracePeriodSeconds },
  }) as unknown as Pod;
const names = (groups: readonly (readonly Pod[])[]) =>
  groups.map((each) => each.map(({ metadata }) => metadata?.name));

test('critical pods get the last part of the time, all others the part before', () => {
  const groups = shutdownGroups(settings);
  expect(groups).toEqual([
    { priority: 0, graceMs: 20_000 },
    { priority: 2_000_000_000, graceMs: 10_000 },
  ]);
  const pods = [pod('none'), pod('critical', 2_000_001_000), pod('negative', -5), pod('high', 1000)];
  expect(names(podsByGroup(groups, pods))).toEqual([['none', 'negative', 'high'], ['critical']]);
});

test('without a time there are no groups; times by priority count instead of the two', () => {
  expect(shutdownGroups({ ...settings, shutdownGracePeriod: 0 })).toEqual([]);
  const byPriority = [
    { priority: 1000, shutdownGracePeriodSeconds: 5 },
    { priority: 0, shutdownGracePeriodSeconds: 60 },
  ];
  const groups = shutdownGroups({ ...settings, shutdownGracePeriodByPodPriority: byPriority });
  expect(groups).toEqual([
    { priority: 0, graceMs: 60_000 },
    { priority: 1000, graceMs: 5_000 },
  ]);
  expect(names(podsByGroup(groups, [pod('a', 999), pod('b', 1000), pod('c', 5000)]))).toEqual([
    ['a'],
    ['b', 'c'],
  ]);
});

test('the least important pods end first; the next group begins when they are gone or their time is over', async () => {
  const clock = new ManualClock();
  const reported: string[] = [];
  const pods = [pod('quick', 0, 3), pod('stuck'), pod('critical', 2_000_000_000, 600)];
  const shutdown = new NodeShutdown({
    clock,
    groups: shutdownGroups(settings),
    activePods: () => pods,
    async end(uid, { graceMs, reason, maySucceed }) {
      reported.push(`${uid} ${reason} ${graceMs} ${maySucceed}`);
      if (uid === 'stuck') await new Promise(() => {});
    },
    nodeEvent: (_type, reason, message) => reported.push(`${reason}: ${message}`),
    stopping: (reason) => reported.push(reason),
  });
  expect(shutdown.isConfigured).toBe(true);
  expect(shutdown.refusal()).toBeUndefined();
  const running = shutdown.run();
  await clock.advance(19_999);
  expect(reported).toEqual([
    'Shutdown: Shutdown manager detected shutdown event',
    'node is shutting down',
    'quick Terminated 3000 true',
    'stuck Terminated 20000 true',
  ]);
  expect(shutdown.refusal()).toEqual({
    reason: 'NodeShutdown',
    message: 'Pod was rejected as the node is shutting down.',
  });
  await clock.advance(1);
  await running;
  expect(reported.at(-1)).toBe('critical Terminated 10000 true');
});

test('a kubelet that is only restarted leaves its pods alone', async () => {
  const [term, int] = ['SIGTERM', 'SIGINT'].map((name) => new Error(`stopped by ${name}`));
  const state = (text: string) => async () => text;
  expect(await isMachineGoingDown(term, true, state('running\n'))).toBe(false);
  expect(await isMachineGoingDown(term, true, state('stopping\n'))).toBe(true);
  expect(await isMachineGoingDown(term, false)).toBe(true);
  expect(await isMachineGoingDown(int, false)).toBe(false);
});
