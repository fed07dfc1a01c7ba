import { expect, test } from 'vitest';
import type { ResourceClaim, ResourceSlice } from '../objects.ts';
import { evictionTimeMs } from './eviction-time.ts';

const taintedMs = Date.UTC(2026, 0, 1);

const claim = (tolerations: object[] = []): ResourceClaim =>
  ({
    metadata: {},
    status: {
      allocation: {
        devices: { results: [{ request: 'r', driver: 'd', pool: 'p', device: 'x', tolerations }] },
      },
    },
  }) as unknown as ResourceClaim;

const slice = (generation: number, effect?: string): ResourceSlice =>
  ({
    metadata: {},
    spec: {
      driver: 'd',
      pool: { name: 'p', generation, resourceSliceCount: 1 },
      devices: [
        {
          name: 'x',
          taints: effect === undefined ? [] : [{ key: 'k', effect, timeAdded: '2026-01-01T00:00:00Z' }],
        },
      ],
    },
  }) as unknown as ResourceSlice;

const timeOf = (of: ResourceClaim, ...slices: ResourceSlice[]) => evictionTimeMs(of, () => slices);

test('a taint that is not tolerated counts from when it was added', () => {
  expect(timeOf(claim(), slice(1, 'NoExecute'))).toBe(taintedMs);
});

test('a toleration holds for a while, or for ever', () => {
  const toleration = { operator: 'Exists', effect: 'NoExecute' };
  expect(timeOf(claim([{ ...toleration, tolerationSeconds: 60 }]), slice(1, 'NoExecute'))).toBe(
    taintedMs + 60_000,
  );
  expect(timeOf(claim([toleration]), slice(1, 'NoExecute'))).toBeUndefined();
});

test('other effects, and taints of an older generation of the pool, do not count', () => {
  expect(timeOf(claim(), slice(1, 'NoSchedule'))).toBeUndefined();
  expect(timeOf(claim(), slice(1, 'NoExecute'), slice(2))).toBeUndefined();
});
