import { ManualClock } from '@coxswain/apimachinery';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { expect, test } from 'vitest';
import type { PodEnd } from '../pod/pod-worker-context.ts';
import { EvictionManager, type EvictionManagerOptions } from './eviction-manager.ts';
import type { PodUse } from './pod-usage.ts';
import type { Observation, Signal } from './signals.ts';
import { thresholdsOf } from './thresholds.ts';

const mi = 1024 * 1024;

/** A simulated node: the test sets its available resources and its pods. */
class PaperNode {
  readonly clock = new ManualClock();
  readonly left = new Map<Signal, Observation>([
    ['memory.available', { available: 500 * mi, capacity: 1000 * mi }],
    ['nodefs.available', { available: 500 * mi, capacity: 1000 * mi }],
  ]);
  readonly pods = new Map<string, Pod>();
  readonly uses = new Map<string, PodUse>();
  readonly reported: string[] = [];
  readonly ended: { readonly uid: string; readonly order: PodEnd }[] = [];
  readonly manager: EvictionManager;

  constructor(
    settings: Partial<Parameters<typeof thresholdsOf>[0]> = {},
    more: Partial<EvictionManagerOptions> = {},
  ) {
    this.manager = new EvictionManager({
      clock: this.clock,
      signal: new AbortController().signal,
      thresholds: thresholdsOf(
        {
          evictionSoft: {},
          evictionSoftGracePeriod: {},
          evictionMinimumReclaim: {},
          enforceNodeAllocatable: [],
          ...settings,
        },
        { 'memory.available': '100Mi', 'nodefs.available': '100Mi' },
      ),
      layout: 'one',
      transitionMs: 60_000,
      softGraceMsMax: 5_000,
      limitsStorage: true,
      observe: () => this.left,
      uses: async () => this.uses,
      activePods: () => [...this.pods.values()],
      end: async (uid, order) => {
        this.ended.push({ uid, order });
        this.pods.delete(uid);
      },
      removeDeadContainers: async () => void this.reported.push('dead containers'),
      removeUnusedImages: async () => void this.reported.push('unused images'),
      event: (pod, { reason, message }) => this.reported.push(`${pod.metadata?.name} ${reason}: ${message}`),
      nodeEvent: (_type, reason, message) => this.reported.push(`node ${reason}: ${message}`),
      pressuresChanged: (pressures) => this.reported.push(`pressures [${pressures.join(' ')}]`),
      onError: (error) => this.reported.push(String(error)),
      ...more,
    });
  }

  leave(signal: Signal, availableMi: number): void {
    this.left.set(signal, { available: availableMi * mi, capacity: 1000 * mi });
  }

  add(name: string, memoryMi: number, spec: object = {}, volumes: PodUse['volumes'] = new Map()): void {
    this.pods.set(name, {
      metadata: { name, uid: name },
      spec: { containers: [{ name: 'c' }], ...spec },
    } as unknown as Pod);
    const memoryBytes = memoryMi * mi;
    const containers = [{ name: 'c', memoryBytes, writable: undefined, logs: undefined }];
    this.uses.set(name, { memoryBytes, processes: 0, containers, volumes });
  }
}

test('without any shortage, nothing is reported and no pod is evicted', async () => {
  const node = new PaperNode();
  node.add('web', 400);
  expect(await node.manager.look()).toBe(false);
  expect(node.reported).toEqual([]);
});

test('when memory is short, one pod goes at a time, the greediest first, with a second to stop', async () => {
  const node = new PaperNode();
  node.add('small', 10);
  node.add('greedy', 300);
  node.leave('memory.available', 99);
  expect(await node.manager.look()).toBe(true);
  expect(node.reported).toEqual([
    'pressures [MemoryPressure]',
    'node EvictionThresholdMet: Attempting to reclaim memory',
    'greedy Evicted: The node was low on resource: memory. Threshold quantity: 100Mi, available: 99Mi. Container c was using 300Mi, request is 0, has larger consumption of memory. ',
  ]);
  expect(node.ended).toMatchObject([
    { uid: 'greedy', order: { reason: 'Evicted', graceMs: 1000, isDisruption: true } },
  ]);
  node.leave('memory.available', 400);
  expect(await node.manager.look()).toBe(false);
  expect(node.manager.evictions).toEqual(new Map([['memory.available', 1]]));
  expect(node.manager.refusal({ spec: { containers: [] } } as unknown as Pod)?.reason).toBe('Evicted');
  await node.clock.advance(60_000);
  await node.manager.look();
  expect(node.manager.pressures).toEqual([]);
});

test('critical pods stay, whatever they use', async () => {
  const node = new PaperNode();
  node.add('critical', 900, { priority: 2_000_000_000 });
  node.leave('memory.available', 1);
  expect(await node.manager.look()).toBe(false);
  expect(node.ended).toEqual([]);
});

test('a full disk is cleared of unused data before a pod is evicted', async () => {
  const node = new PaperNode(
    {},
    { removeUnusedImages: async () => void node.leave('nodefs.available', 600) },
  );
  node.add('web', 1);
  node.leave('nodefs.available', 50);
  expect(await node.manager.look()).toBe(false);
  expect(node.reported).toContain('dead containers');
  expect(node.ended).toEqual([]);
  node.leave('nodefs.available', 50);
});

test('when a full disk has nothing to clear, a pod goes', async () => {
  const node = new PaperNode();
  node.add('web', 1);
  node.leave('nodefs.available', 50);
  expect(await node.manager.look()).toBe(true);
  expect(node.reported).toContain('unused images');
  expect(node.ended).toMatchObject([{ uid: 'web' }]);
});

test('when a soft threshold is crossed for long, pods get their own time up to the maximum', async () => {
  const node = new PaperNode({
    evictionSoft: { 'memory.available': '300Mi' },
    evictionSoftGracePeriod: { 'memory.available': '30s' },
  });
  node.add('patient', 200, { terminationGracePeriodSeconds: 3 });
  node.leave('memory.available', 200);
  expect(await node.manager.look()).toBe(false);
  await node.clock.advance(30_000);
  expect(await node.manager.look()).toBe(true);
  expect(node.ended).toMatchObject([{ uid: 'patient', order: { graceMs: 3_000 } }]);
});

test('pods that write more than they may go although there is room, and not as a disruption', async () => {
  const node = new PaperNode();
  const volumes = [{ name: 'scratch', emptyDir: { sizeLimit: '1Mi' } }];
  node.add('writer', 1, { volumes }, new Map([['scratch', { bytes: 2 * mi, inodes: 2 }]]));
  expect(await node.manager.look()).toBe(true);
  expect(node.ended).toMatchObject([{ uid: 'writer', order: { isDisruption: false } }]);
  expect(node.reported).toEqual([
    'writer Evicted: Usage of EmptyDir volume "scratch" exceeds the limit "1Mi". ',
  ]);
});
