import { ManualClock } from '@coxswain/apimachinery';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { exponentialRetry } from './failure-back-off.ts';
import { runWorkers } from './workers.ts';
import { WorkQueue } from './work-queue.ts';

test('a key is in the queue once, however often it is added', () => {
  const queue = new WorkQueue({ clock: new ManualClock() });
  for (const key of ['a', 'b', 'a', 'a']) queue.add(key);
  expect([queue.tryGet(), queue.tryGet(), queue.tryGet()]).toEqual(['a', 'b', undefined]);
});

test('a key that is added while it is worked on comes again when it is done', () => {
  const queue = new WorkQueue({ clock: new ManualClock() });
  queue.add('a');
  queue.tryGet();
  queue.add('a');
  expect(queue.tryGet()).toBeUndefined();
  queue.done('a');
  expect(queue.tryGet()).toBe('a');
});

test('of several delays of a key the shortest counts', async () => {
  const clock = new ManualClock();
  const queue = new WorkQueue({ clock });
  queue.addAfter('a', 500);
  queue.addAfter('a', 100);
  queue.addAfter('a', 900);
  await clock.advance(100);
  expect(queue.tryGet()).toBe('a');
  queue.done('a');
  await clock.advance(1000);
  expect(queue.tryGet()).toBeUndefined();
});

test('the delay of a failing key doubles each time, and is reset by a success', async () => {
  const clock = new ManualClock();
  const queue = new WorkQueue({ clock, retry: exponentialRetry(5, 1000) });
  const tried: number[] = [];
  const stopping = new AbortController();
  const running = runWorkers({
    queue,
    workers: 2,
    signal: stopping.signal,
    reconcile: () => {
      tried.push(clock.monotonic());
      if (tried.length < 4) throw new Error('not yet');
    },
  });
  queue.add('a');
  await clock.advance(1000);
  expect(tried).toEqual([0, 5, 15, 35]);
  expect(queue.failures('a')).toBe(0);
  stopping.abort();
  await running;
});

test('no key is ever worked on twice at the same time, and none is lost', () => {
  const step = fc.oneof(
    fc.record({ do: fc.constant('add' as const), key: fc.constantFrom('a', 'b', 'c') }),
    fc.record({ do: fc.constant('take' as const), key: fc.constant('') }),
    fc.record({ do: fc.constant('done' as const), key: fc.constantFrom('a', 'b', 'c') }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const queue = new WorkQueue({ clock: new ManualClock() });
      const working = new Set<string>();
      const owed = new Set<string>();
      for (const { do: what, key } of steps) {
        if (what === 'add') {
          queue.add(key);
          owed.add(key);
        } else if (what === 'done' && working.delete(key)) queue.done(key);
        else if (what === 'take') {
          const taken = queue.tryGet();
          expect(taken !== undefined || [...owed].every((key) => working.has(key))).toBe(true);
          if (taken === undefined) continue;
          expect(working.has(taken)).toBe(false);
          expect(owed.delete(taken)).toBe(true);
          working.add(taken);
        }
      }
    }),
  );
});
