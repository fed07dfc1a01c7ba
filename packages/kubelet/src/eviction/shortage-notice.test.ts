import { expect, test } from 'vitest';
import { hardEvictionDefault } from './hard-thresholds.ts';
import { shortageNotice } from './shortage-notice.ts';
import type { Observation, Signal } from './signals.ts';
import { thresholdsOf } from './thresholds.ts';

const gi = 1024 ** 3;
const roomy: readonly (readonly [Signal, Observation])[] = [
  ['memory.available', { available: 8 * gi, capacity: 16 * gi }],
  ['allocatableMemory.available', { available: 8 * gi, capacity: 16 * gi }],
  ['nodefs.available', { available: 50 * gi, capacity: 100 * gi }],
  ['nodefs.inodesFree', { available: 500_000, capacity: 1_000_000 }],
  ['imagefs.available', { available: 50 * gi, capacity: 100 * gi }],
  ['imagefs.inodesFree', { available: 500_000, capacity: 1_000_000 }],
];

function noticeOf(...short: readonly (readonly [Signal, Observation])[]): string | undefined {
  const thresholds = thresholdsOf(
    {
      evictionSoft: {},
      evictionSoftGracePeriod: {},
      evictionMinimumReclaim: {},
      enforceNodeAllocatable: ['pods'],
    },
    hardEvictionDefault,
  );
  return shortageNotice(thresholds, new Map([...roomy, ...short]), (signal) =>
    signal.startsWith('imagefs.') ? '/images' : undefined,
  );
}

test('a machine with enough resources gets no warning', () => {
  expect(noticeOf()).toBeUndefined();
});

test.each<readonly [Signal, Observation, string]>([
  [
    'imagefs.available',
    { available: 11.54 * gi, capacity: 100 * gi },
    'imagefs.available (/images) is 11.5%, below 15%',
  ],
  ['nodefs.inodesFree', { available: 10_000, capacity: 1_000_000 }, 'nodefs.inodesFree is 1%, below 5%'],
  ['memory.available', { available: 64 * 1024 ** 2, capacity: gi }, 'memory.available is 64Mi, below 100Mi'],
])('where %s is below its threshold, one line tells it and what to do', (signal, observed, reported) => {
  expect(noticeOf([signal, observed])).toBe(
    `pods will be refused and evicted, as the machine is short: ${reported}. Make room, or set evictionHard in the kubelet's configuration file`,
  );
});

test('all that is short is in the one line, each thing once', () => {
  const little = { available: gi, capacity: 100 * gi };
  const notice = noticeOf(['nodefs.available', little], ['imagefs.available', little]) ?? '';
  expect(notice.split('\n')).toHaveLength(1);
  expect(notice.match(/below/g)).toHaveLength(2);
  const scarce = { available: 0, capacity: 16 * gi };
  expect(noticeOf(['memory.available', scarce], ['allocatableMemory.available', scarce])).not.toContain(
    'allocatable',
  );
});
