import { expect, test } from 'vitest';
import { ManualClock } from './clock.ts';
import { BoundedFrequencyRunner } from './bounded-frequency-runner.ts';

function paced(job: () => Promise<number | void>, periodMaxMs?: number) {
  const clock = new ManualClock();
  const errors: unknown[] = [];
  const sync = new BoundedFrequencyRunner({
    clock,
    job,
    restMs: 50,
    retryMs: 1_000,
    ...(periodMaxMs !== undefined && { periodMaxMs }),
    onError: (error) => void errors.push(error),
  });
  return { clock, errors, sync };
}

test('requests before it opens are served by one run, and so are requests while it rests', async () => {
  let runs = 0;
  const { clock, sync } = paced(async () => void runs++);
  sync.request();
  sync.request();
  expect(runs).toBe(0);
  await sync.open();
  expect(runs).toBe(1);
  sync.request();
  sync.request();
  await clock.advance(49);
  expect(runs).toBe(1);
  await clock.advance(1);
  expect(runs).toBe(2);
});

test('a request after the rest is served at once', async () => {
  let runs = 0;
  const { clock, sync } = paced(async () => void runs++);
  await sync.open();
  await clock.advance(10_000);
  expect(runs).toBe(1);
  await sync.done();
  expect(runs).toBe(2);
});

test('waiting callers are notified after a run that began later, even if one fails', async () => {
  let runs = 0;
  const { clock, errors, sync } = paced(async () => {
    if (++runs === 1) throw new Error('refused');
  });
  let isDone = false;
  void sync.done().then(() => (isDone = true));
  await sync.open();
  expect([isDone, errors.length]).toEqual([false, 1]);
  sync.request();
  await clock.advance(999);
  expect(runs).toBe(1);
  await clock.advance(1);
  expect([isDone, runs]).toEqual([true, 2]);
});

test('it runs again when the job wants so, and after the longest time in any case', async () => {
  const wishes: (number | undefined)[] = [1_500, undefined];
  let runs = 0;
  const { clock, sync } = paced(async () => wishes[runs++], 3_600_000);
  await sync.open();
  await clock.advance(1_500);
  expect(runs).toBe(2);
  await clock.advance(3_600_000);
  expect(runs).toBe(3);
});

test('nothing runs after it was closed, and nobody waits forever', async () => {
  let runs = 0;
  const { clock, sync } = paced(async () => void runs++);
  const waiting = sync.done();
  await sync.close();
  await waiting;
  await sync.open();
  await clock.advance(5_000);
  expect(runs).toBe(0);
});
