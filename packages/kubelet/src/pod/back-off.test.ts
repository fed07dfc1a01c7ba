import { expect, test } from 'vitest';
import type { Container } from '@coxswain/api/core/v1/container.ts';
import { backOffAfterExit } from './back-off.ts';
import { newRecord } from './container-record.ts';

/** How long a container waits after each of its exits, in seconds; it always ends right after its start. */
function waits(exits: number, msMax?: number): readonly number[] {
  const record = newRecord({ name: 'c' } as Container, 'app');
  return Array.from({ length: exits }, () => {
    backOffAfterExit(record, 0, msMax);
    return record.retryAtMs / 1000;
  });
}

test('each wait is twice the one before, up to five minutes', () => {
  expect(waits(8)).toEqual([0, 10, 20, 40, 80, 160, 300, 300]);
});

test('a node may set a shorter maximum back-off, even shorter than the initial one', () => {
  expect(waits(5, 30_000)).toEqual([0, 10, 20, 30, 30]);
  expect(waits(4, 2_000)).toEqual([0, 2, 2, 2]);
});
