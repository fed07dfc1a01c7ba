import { ManualClock } from '@coxswain/apimachinery';
import { expect, test } from 'vitest';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { WorkQueue } from './work-queue.ts';
import { runWorkers } from './workers.ts';

/** Workers whose reconciles wait until the test releases them. */
function held(workers: number) {
  const queue = new WorkQueue({ clock: new ManualClock() });
  const stopping = new AbortController();
  const open = new Map<string, () => void>();
  const begun: string[] = [];
  const done = runWorkers({
    queue,
    workers,
    signal: stopping.signal,
    reconcile(key) {
      begun.push(key);
      return new Promise((resolve) => open.set(key, resolve));
    },
  });
  const settle = async () => {
    for (let turn = 0; turn < 20; turn++) await Promise.resolve();
  };
  const end = async (key: string) => {
    open.get(key)?.();
    await settle();
  };
  return { queue, stopping, begun, done, settle, end };
}

test('as many keys are worked on at once as there are workers, and the next when one is done', async () => {
  const { queue, begun, settle, end } = held(2);
  for (const key of ['a', 'b', 'c', 'd']) queue.add(key);
  await settle();
  const atOnce = [...begun];
  await end('b');

  expect(atOnce).toEqual(['a', 'b']);
  expect(begun).toEqual(['a', 'b', 'c']);
});

test('workers who were all at work take keys again when they are free', async () => {
  const { queue, begun, settle, end } = held(1);
  queue.add('a');
  await settle();
  await end('a');
  queue.add('b');
  await settle();

  expect(begun).toEqual(['a', 'b']);
});

test('an abort lets running reconciles finish, and starts no more', async () => {
  const { queue, stopping, begun, done, settle, end } = held(2);
  for (const key of ['a', 'b', 'c']) queue.add(key);
  await settle();
  stopping.abort();
  let isOver = false;
  void done.then(() => (isOver = true));
  await end('a');
  const overEarly = isOver;
  await end('b');
  await done;

  expect({ overEarly, begun }).toEqual({ overEarly: false, begun: ['a', 'b'] });
});

test('idle workers end at once when they are stopped', async () => {
  const { stopping, done } = held(3);
  stopping.abort();

  await expect(done).resolves.toBeUndefined();
});

test('a failing key is reported and retried, until it is given up', async () => {
  const clock = new ManualClock();
  const queue = new WorkQueue({ clock });
  const stopping = new AbortController();
  const reported: string[] = [];
  let tries = 0;
  const done = runWorkers({
    queue,
    workers: 1,
    retriesMax: 2,
    signal: stopping.signal,
    reconcile() {
      tries++;
      throw new Error(`try ${tries}`);
    },
    onError: (error) => void reported.push(messageOf(error)),
  });
  queue.add('a');
  for (let round = 0; round < 5; round++) await clock.advance(60_000);
  stopping.abort();
  await done;

  expect(reported).toEqual(['try 1', 'try 2', 'try 3']);
});

test('a failure in telling of failures ends the workers with it', async () => {
  const queue = new WorkQueue({ clock: new ManualClock() });
  queue.add('a');
  const done = runWorkers({
    queue,
    workers: 2,
    signal: new AbortController().signal,
    reconcile: () => Promise.reject(new Error('failed')),
    onError() {
      throw new Error('nobody to tell');
    },
  });

  await expect(done).rejects.toThrow('nobody to tell');
});
