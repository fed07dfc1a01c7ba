import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { describe, expect, test } from 'vitest';
import { isCritical } from '../pod/pod-source.ts';
import { refusalUnderPressure } from './admit-under-pressure.ts';
import { evictionMessage } from './eviction-message.ts';
import { systemOomOf, systemOomText } from './oom-watch.ts';
import type { PodUse } from './pod-usage.ts';
import { rankPods } from './rank-pods.ts';
import type { Observation, Observations, Signal } from './signals.ts';
import { storageExcess } from './storage-limits.ts';
import { calm, crossed, mostUrgent, nextState } from './threshold-state.ts';
import { amountOf, thresholdsOf, withContainerThresholds } from './thresholds.ts';

const mi = 1024 * 1024;
const settings = {
  evictionSoft: {},
  evictionSoftGracePeriod: {},
  evictionMinimumReclaim: {},
  enforceNodeAllocatable: ['none'],
};
const observed = (entries: Partial<Record<Signal, Observation>>): Observations =>
  new Map(Object.entries(entries) as [Signal, Observation][]);
const memory = (available: number): Observations =>
  observed({ 'memory.available': { available: available * mi, capacity: 1000 * mi } });

describe('thresholds', () => {
  test('a quantity is as it is; a percentage is of the capacity, counted with 32 bits; 0% and 100% are none', () => {
    const [first, second, ...others] = thresholdsOf(settings, {
      'memory.available': '100Mi',
      'nodefs.available': '10%',
      'imagefs.available': '0%',
      'pid.available': '100%',
    });
    expect(others).toEqual([]);
    expect(amountOf(first!.value, { available: 0, capacity: 1 })).toBe(100 * mi);
    expect(amountOf(second!.value, { available: 0, capacity: 10_000_000_000 })).toBe(1_000_000_014);
  });

  test('what pods may use together has the threshold of the memory of the node', () => {
    const found = thresholdsOf(
      { ...settings, enforceNodeAllocatable: ['pods'] },
      { 'memory.available': '1Mi' },
    );
    expect(found.map(({ signal }) => signal)).toEqual(['memory.available', 'allocatableMemory.available']);
  });

  test('containers write where nodefs is, unless images have a disk of their own', () => {
    const hard = { 'nodefs.available': '1Mi', 'imagefs.available': '2Mi', 'containerfs.available': '3Mi' };
    const amounts = (layout: Parameters<typeof withContainerThresholds>[1]) =>
      withContainerThresholds(thresholdsOf(settings, hard), layout)
        .filter(({ signal }) => signal === 'containerfs.available')
        .map(({ value }) => amountOf(value, { available: 0, capacity: 0 }) / mi);
    expect(amounts('one')).toEqual([1]);
    expect(amounts('images-apart')).toEqual([2]);
    expect(amounts('images-and-containers-apart')).toEqual([1]);
  });

  test.each<[Partial<typeof settings> & { readonly hard?: Record<string, string> }, string]>([
    [{ hard: { 'disk.free': '1' } }, 'unsupported eviction signal disk.free'],
    [{ hard: { 'memory.available': '-1' } }, 'eviction threshold memory.available must be positive: -1'],
    [
      { hard: { 'memory.available': '101%' } },
      'eviction percentage threshold memory.available must be <= 100%: 101%',
    ],
    [
      { evictionSoft: { 'memory.available': '1Gi' } },
      'grace period must be specified for the soft eviction threshold memory.available',
    ],
    [
      { evictionMinimumReclaim: { 'memory.available': '0%' } },
      'eviction percentage minimum reclaim memory.available must be positive: 0%',
    ],
  ])('%j is refused', ({ hard = {}, ...more }, message) => {
    expect(() => thresholdsOf({ ...settings, ...more }, hard)).toThrow(message);
  });
});

describe('from one look to the next', () => {
  const soft = thresholdsOf(
    {
      ...settings,
      evictionSoft: { 'memory.available': '200Mi' },
      evictionSoftGracePeriod: { 'memory.available': '30s' },
    },
    {},
  );

  test('a soft threshold is due when it has been crossed for its grace period without a break', () => {
    let state = nextState(calm, soft, memory(150), 0, 60_000);
    expect(state).toMatchObject({ due: [], pressures: ['MemoryPressure'] });
    state = nextState(state, soft, memory(250), 20_000, 60_000);
    state = nextState(state, soft, memory(150), 25_000, 60_000);
    expect(nextState(state, soft, memory(150), 54_999, 60_000).due).toEqual([]);
    expect(nextState(state, soft, memory(150), 55_000, 60_000).due).toEqual(soft);
  });

  test('pressure is reported until the transition period has passed', () => {
    const state = nextState(calm, soft, memory(150), 1_000, 60_000);
    const after = (nowMs: number) => nextState(state, soft, memory(900), nowMs, 60_000).pressures;
    expect(after(60_999)).toEqual(['MemoryPressure']);
    expect(after(61_000)).toEqual([]);
  });

  test('once due, a threshold stays so until its minimum is reclaimed as well', () => {
    const hard = thresholdsOf(
      { ...settings, evictionMinimumReclaim: { 'memory.available': '50Mi' } },
      { 'memory.available': '100Mi' },
    );
    const state = nextState(calm, hard, memory(99), 0, 0);
    expect(state.due).toEqual(hard);
    expect(nextState(state, hard, memory(140), 1, 0).due).toEqual(hard);
    expect(nextState(state, hard, memory(150), 1, 0).due).toEqual([]);
    expect(nextState(calm, hard, memory(140), 1, 0).due).toEqual([]);
  });

  test('memory is reclaimed first, and unobserved signals are not crossed', () => {
    const both = thresholdsOf(settings, { 'pid.available': '10', 'memory.available': '1Mi' });
    expect(mostUrgent(both)?.signal).toBe('memory.available');
    expect(crossed(both, memory(0), false).map(({ signal }) => signal)).toEqual(['memory.available']);
  });
});

const pod = (name: string, spec: object = {}): Pod =>
  ({
    metadata: { name, namespace: 'default', uid: name },
    spec: { containers: [{ name: 'c' }], ...spec },
  }) as unknown as Pod;
const requesting = (name: string, requests: object, spec: object = {}): Pod =>
  pod(name, { containers: [{ name: 'c', resources: { requests } }], ...spec });
const use = (memoryMi: number, more: Partial<PodUse> = {}): PodUse => ({
  memoryBytes: memoryMi * mi,
  processes: 0,
  containers: [{ name: 'c', memoryBytes: memoryMi * mi, writable: undefined, logs: undefined }],
  volumes: new Map(),
  ...more,
});
const names = (pods: readonly Pod[]) => pods.map(({ metadata }) => metadata?.name);

describe('the order of pods', () => {
  test('for memory: above the request first, then the least important, then the furthest above', () => {
    const uses = new Map([
      ['within', use(90)],
      ['above', use(110)],
      ['far-above', use(300)],
      ['important', use(900)],
    ]);
    const request = { memory: '100Mi' };
    const pods = [
      requesting('within', request, { priority: -5 }),
      requesting('above', request),
      requesting('important', request, { priority: 10 }),
      requesting('far-above', request),
      pod('unknown'),
    ];
    const ranked = rankPods(
      pods,
      'memory.available',
      ({ metadata }) => uses.get(metadata?.name ?? ''),
      'one',
    );
    expect(names(ranked)).toEqual(['unknown', 'far-above', 'above', 'important', 'within']);
  });

  test('for disks: what lies on the disk that is short counts', () => {
    const disk = (writable: number, logs: number): PodUse =>
      use(0, {
        containers: [
          {
            name: 'c',
            memoryBytes: 0,
            writable: { bytes: writable, inodes: 1 },
            logs: { bytes: logs, inodes: 1 },
          },
        ],
      });
    const uses = new Map([
      ['writes', disk(100, 1)],
      ['logs', disk(1, 50)],
    ]);
    const rank = (signal: Signal, layout: Parameters<typeof rankPods>[3]) =>
      names(
        rankPods(
          [pod('writes'), pod('logs')],
          signal,
          ({ metadata }) => uses.get(metadata?.name ?? ''),
          layout,
        ),
      );
    expect(rank('nodefs.available', 'one')).toEqual(['writes', 'logs']);
    expect(rank('nodefs.available', 'images-apart')).toEqual(['logs', 'writes']);
    expect(rank('imagefs.available', 'images-apart')).toEqual(['writes', 'logs']);
  });

  test('for process IDs: the lowest priority, then the most processes', () => {
    const uses = new Map([
      ['few', use(0, { processes: 2 })],
      ['many', use(0, { processes: 200 })],
    ]);
    const pods = [pod('important', { priority: 1 }), pod('few'), pod('many')];
    const useOf = ({ metadata }: Pod) => uses.get(metadata?.name ?? '') ?? use(0);
    expect(names(rankPods(pods, 'pid.available', useOf, 'one'))).toEqual(['many', 'few', 'important']);
  });
});

describe('messages', () => {
  const due = thresholdsOf(settings, { 'memory.available': '100Mi' });

  test("the message and the annotations are upstream's", () => {
    const { message, annotations } = evictionMessage('memory', pod('web'), use(250), due, memory(80));
    expect(message).toBe(
      'The node was low on resource: memory. Threshold quantity: 100Mi, available: 80Mi. Container c was using 250Mi, request is 0, has larger consumption of memory. ',
    );
    expect(annotations).toEqual({
      offending_containers: 'c',
      offending_containers_usage: '250Mi',
      starved_resource: 'memory',
    });
  });

  test('pod-level requests are included', () => {
    const whole = pod('web', { resources: { requests: { memory: '1Gi' } } });
    const { message, annotations } = evictionMessage('memory', whole, use(2048), due, memory(80));
    expect(message).toContain(
      'Pod web was using 2Gi, request is 1Gi, has larger consumption of memory. Container c',
    );
    expect(annotations).toMatchObject({ offending_pod: 'web', offending_pod_usage: '2Gi' });
  });

  test('for a pod without statistics, only the shortage is reported', () => {
    expect(evictionMessage('memory', pod('web'), undefined, due, memory(80))).toEqual({
      message: 'The node was low on resource: memory. Threshold quantity: 100Mi, available: 80Mi. ',
      annotations: {},
    });
  });
});

describe('limits of local storage', () => {
  const volumes = new Map([['scratch', { bytes: 11 * mi, inodes: 3 }]]);

  test('an emptyDir over its size', () => {
    const full = pod('web', { volumes: [{ name: 'scratch', emptyDir: { sizeLimit: '10Mi' } }] });
    expect(storageExcess(full, use(0, { volumes }), 'one')?.message).toBe(
      'Usage of EmptyDir volume "scratch" exceeds the limit "10Mi". ',
    );
    const roomy = pod('web', { volumes: [{ name: 'scratch', emptyDir: { sizeLimit: '11Mi' } }] });
    expect(storageExcess(roomy, use(0, { volumes }), 'one')?.message).toBeUndefined();
  });

  const limited = pod('web', {
    volumes: [{ name: 'scratch', emptyDir: {} }],
    containers: [{ name: 'c', resources: { limits: { 'ephemeral-storage': '10Mi' } } }],
  });
  const writing = (bytes: number, inVolumes: PodUse['volumes']) =>
    use(0, {
      volumes: inVolumes,
      containers: [{ name: 'c', memoryBytes: 0, writable: { bytes, inodes: 1 }, logs: undefined }],
    });

  test('a pod whose volumes and containers together are over the limit of its containers', () => {
    expect(storageExcess(limited, writing(0, volumes), 'one')?.message).toBe(
      'Pod ephemeral local storage usage exceeds the total limit of containers 10Mi. ',
    );
    expect(storageExcess(limited, writing(0, new Map()), 'one')?.message).toBeUndefined();
  });

  test('a container over its own, while the pod as a whole may write more', () => {
    const two = pod('web', {
      containers: ['c', 'd'].map((name) => ({
        name,
        resources: { limits: { 'ephemeral-storage': '10Mi' } },
      })),
    });
    expect(storageExcess(two, writing(11 * mi, new Map()), 'one')?.message).toBe(
      'Container c exceeded its local ephemeral storage limit "10Mi". ',
    );
    expect(storageExcess(two, writing(11 * mi, new Map()), 'images-apart')?.message).toBeUndefined();
  });
});

describe('pods that come while something is short', () => {
  const refused = { reason: 'Evicted', message: 'The node had condition: [MemoryPressure]. ' };

  test('while memory is short, those that ask for none are refused, unless they tolerate it', () => {
    expect(refusalUnderPressure(pod('web'), ['MemoryPressure'])).toEqual(refused);
    expect(refusalUnderPressure(requesting('web', { memory: '1Mi' }), ['MemoryPressure'])).toBeUndefined();
    const tolerant = pod('web', {
      tolerations: [{ key: 'node.kubernetes.io/memory-pressure', operator: 'Exists', effect: 'NoSchedule' }],
    });
    expect(refusalUnderPressure(tolerant, ['MemoryPressure'])).toBeUndefined();
    expect(refusalUnderPressure(tolerant, ['DiskPressure'])).toBeDefined();
  });

  test('any other pressure admits only critical pods', () => {
    expect(refusalUnderPressure(requesting('web', { memory: '1Mi' }), ['DiskPressure'])?.message).toBe(
      'The node had condition: [DiskPressure]. ',
    );
    expect(refusalUnderPressure(pod('web', { priority: 2_000_001_000 }), ['DiskPressure'])).toBeUndefined();
    expect(isCritical(pod('web', { priority: 1_999_999_999 }))).toBe(false);
    expect(refusalUnderPressure(pod('web'), [])).toBeUndefined();
  });
});

test('processes killed by the kernel are reported for the node only outside containers', () => {
  const record = (group: string) =>
    `6,1234,98765432,-;oom-kill:constraint=CONSTRAINT_NONE,nodemask=(null),cpuset=/,mems_allowed=0,global_oom,task_memcg=${group},task=greedy,pid=4711,uid=0`;
  const found = systemOomOf(record('/'));
  expect(found).toEqual({ process: 'greedy', pid: 4711, atSeconds: 98.765432 });
  expect(systemOomText(found!)).toBe('System OOM encountered, victim process: greedy, pid: 4711');
  expect(systemOomOf(record('/kubepods/besteffort/pod1/c'))).toBeUndefined();
  expect(systemOomOf('6,1,2,-;something else')).toBeUndefined();
});
