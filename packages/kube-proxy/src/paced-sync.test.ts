import { ManualClock } from '@coxswain/apimachinery';
import { expect, test } from 'vitest';
import { PacedSync } from './paced-sync.ts';

function newSync(job: () => Promise<number | undefined>) {
  const clock = new ManualClock();
  const stopping = new AbortController();
  const errors: unknown[] = [];
  const sync = new PacedSync({
    job,
    periodMinMs: 1_000,
    retryMs: 30_000,
    periodMaxMs: 3_600_000,
    clock,
    signal: stopping.signal,
    onError: (error) => errors.push(error),
  });
  return { clock, sync, errors, stopping };
}

test('requests wait for the opening, and those that come soon after another run together', async () => {
  let runs = 0;
  const { clock, sync } = newSync(async () => void runs++);
  sync.request();
  expect(runs).toBe(0);
  await sync.open();
  expect(runs).toBe(1);

  sync.request();
  sync.request();
  await clock.advance(999);
  expect(runs).toBe(1);
  await clock.advance(1);
  expect(runs).toBe(2);
});

test('a run that failed is tried again later, though nobody asks', async () => {
  let runs = 0;
  const { clock, sync, errors } = newSync(async () => {
    if (++runs === 1) throw new Error('no');
    return undefined;
  });
  await sync.open();
  sync.request();
  await clock.advance(29_999);
  expect(runs).toBe(1);
  await clock.advance(1);
  expect(runs).toBe(2);
  expect(errors).toHaveLength(1);
});

test('it runs again when the job wants so, and once an hour in any case; not after the end', async () => {
  const wishes: (number | undefined)[] = [1_500, undefined];
  let runs = 0;
  const { clock, sync, stopping } = newSync(async () => wishes[runs++]);
  await sync.open();
  await clock.advance(1_500);
  expect(runs).toBe(2);
  await clock.advance(3_600_000);
  expect(runs).toBe(3);

  stopping.abort();
  await clock.advance(7_200_000);
  expect(runs).toBe(3);
});
