import { expect, test } from 'vitest';
import type { ResourceClaim, ResourceSlice } from '../objects.ts';
import { poolTotals } from './pool-totals.ts';

const slice = (pool: string, generation: number, devices: number, more: object = {}): ResourceSlice =>
  ({
    metadata: { name: `${pool}-${generation}` },
    spec: {
      driver: 'gpu',
      nodeName: pool,
      pool: { name: pool, generation, resourceSliceCount: 1 },
      devices: Array.from({ length: devices }, (_, index) => ({ name: `d${index}` })),
      ...more,
    },
  }) as unknown as ResourceSlice;

const claimOf = (pool: string): ResourceClaim =>
  ({
    metadata: { name: 'c' },
    status: { allocation: { devices: { results: [{ driver: 'gpu', pool, device: 'd0' }] } } },
  }) as unknown as ResourceClaim;

test('devices of the newest generation count, and those that claims have are taken', () => {
  const pools = poolTotals(
    { driver: 'gpu' },
    [slice('b', 1, 9), slice('b', 2, 4), slice('a', 1, 1)],
    [claimOf('b')],
  );
  expect(pools).toMatchObject([
    { poolName: 'a', totalDevices: 1, allocatedDevices: 0, availableDevices: 1 },
    { poolName: 'b', generation: 2, totalDevices: 4, allocatedDevices: 1, availableDevices: 3 },
  ]);
});

test('a pool of which slices are missing says so instead of numbers', () => {
  const half = slice('a', 1, 1, { pool: { name: 'a', generation: 1, resourceSliceCount: 2 } });
  const [pool] = poolTotals({ driver: 'gpu' }, [half], []);
  expect(pool?.validationError).toBe('pool gpu/a is incomplete: observed 1/2 slices at generation 1');
  expect(pool).not.toHaveProperty('totalDevices');
});

test('other drivers and pools are left out', () => {
  const slices = [slice('a', 1, 1), slice('b', 1, 1), slice('a', 1, 1, { driver: 'nic' })];
  expect(poolTotals({ driver: 'gpu', poolName: 'a' }, slices, []).map(({ poolName }) => poolName)).toEqual([
    'a',
  ]);
});

test('a pool whose slices are of several nodes is of none', () => {
  const pool = { name: 'a', generation: 1, resourceSliceCount: 2 };
  const slices = [slice('a', 1, 1, { pool }), slice('a', 1, 2, { pool, nodeName: 'other' })];
  expect(poolTotals({ driver: 'gpu' }, slices, [])[0]).not.toHaveProperty('nodeName');
});
