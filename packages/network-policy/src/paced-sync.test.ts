import { expect, test } from 'vitest';
import { ManualClock } from '@coxswain/apimachinery';
import { PacedSync } from './paced-sync.ts';

function paced(job: () => Promise<void>) {
  const clock = new ManualClock();
  const errors: unknown[] = [];
  const sync = new PacedSync({
    clock,
    job,
    restMs: 50,
    retryMs: 1_000,
    onError: (error) => void errors.push(error),
  });
  return { clock, errors, sync };
}

test('what is asked for before it opens is done once, and what comes while it rests is done together', async () => {
  let runs = 0;
  const { clock, sync } = paced(async () => void runs++);
  sync.request();
  sync.request();
  expect(runs).toBe(0);
  sync.open();
  await clock.advance(0);
  expect(runs).toBe(1);
  sync.request();
  sync.request();
  await clock.advance(49);
  expect(runs).toBe(1);
  await clock.advance(1);
  expect(runs).toBe(2);
});

test('who waits is told after a run that began later, also where one fails', async () => {
  let runs = 0;
  const { clock, errors, sync } = paced(async () => {
    if (++runs === 1) throw new Error('refused');
  });
  sync.open();
  let isDone = false;
  void sync.done().then(() => (isDone = true));
  await clock.advance(0);
  expect([isDone, errors.length]).toEqual([false, 1]);
  await clock.advance(1_000);
  expect([isDone, runs]).toEqual([true, 2]);
});

test('nothing runs after it was closed, and nobody waits for ever', async () => {
  let runs = 0;
  const { clock, sync } = paced(async () => void runs++);
  const waiting = sync.done();
  await sync.close();
  await waiting;
  sync.open();
  await clock.advance(5_000);
  expect(runs).toBe(0);
});
