import { getEventListeners } from 'node:events';
import { ManualClock } from '@coxswain/apimachinery';
import { expect, test } from 'vitest';
import { pod } from '../../test/memory-cluster.ts';
import { podInfo } from '../cache/pod-info.ts';
import type { ClusterEvent } from '../framework/cluster-event.ts';
import { queueTimes } from './queue-times.ts';
import { SchedulingQueue } from './scheduling-queue.ts';

const someEvent: ClusterEvent = { resource: 'Node', action: 'add' };

function makeQueue(admitted: { now: boolean } = { now: true }, times: Parameters<typeof queueTimes>[0] = {}) {
  const clock = new ManualClock();
  const queue = new SchedulingQueue(
    {
      compare: (a, b) => b.info.priority - a.info.priority || a.queuedMs - b.queuedMs,
      refusedAtGate: () => (admitted.now ? undefined : 'Gate'),
      isWorthRetry: (_pod, rejectedBy, event) => event.resource === 'Node' && rejectedBy.has('Fit'),
    },
    clock,
    undefined,
    queueTimes(times),
  );
  const add = (name: string, priority = 0) =>
    queue.add(podInfo({ ...pod(name, { spec: { priority } }), metadata: { name, uid: name } }));
  return { clock, queue, add, refused: new Set(['Fit']) };
}

test('the pod of higher priority comes first, then the one that waits longer', async () => {
  const { clock, queue, add } = makeQueue();
  add('old');
  await clock.advance(1);
  add('young');
  add('important', 5);

  expect([queue.pop()?.uid, queue.pop()?.uid, queue.pop()?.uid]).toEqual(['important', 'old', 'young']);
  expect(queue.pop()).toBeUndefined();
});

test('a refused pod rests until an event that helps the plugin which refused it', () => {
  const { queue, add, refused } = makeQueue();
  add('p');
  queue.putRefused(queue.pop()!, refused);
  queue.onEvent({ resource: 'Pod', action: 'add' });
  expect(queue.pop()).toBeUndefined();

  queue.onEvent(someEvent);
  expect(queue.pop()).toMatchObject({ uid: 'p', attempts: 2 });
});

test('a woken pod whose back-off is not over waits behind those that are active', () => {
  const { queue, add, refused } = makeQueue();
  add('refused', 10);
  queue.putRefused(queue.pop()!, refused);
  queue.onEvent(someEvent);
  add('new');

  expect(queue.placeOf('refused')).toBe('backoff');
  expect([queue.pop()?.uid, queue.pop()?.uid]).toEqual(['new', 'refused']);
});

test('pods woken within the same second of back-off come by priority, not by who was refused first', async () => {
  const { clock, queue, add, refused } = makeQueue();
  for (const [name, priority] of [
    ['low', 1],
    ['high', 9],
  ] as const) {
    add(name, priority);
    queue.putRefused(queue.pop()!, refused);
    await clock.advance(300);
  }
  await clock.advance(500);
  queue.onEvent(someEvent);

  expect(queue.pop()?.uid).toBe('high');
});

test('a failed attempt is repeated when the second is over in which 1 s, then 2 s, at most 10 s end', async () => {
  const { clock, queue, add } = makeQueue();
  add('p');
  const waits: number[] = [];
  for (let attempt = 0; attempt < 6; attempt++) {
    queue.putFailed(queue.pop()!);
    let waitedMs = 0;
    while (queue.placeOf('p') === 'errorBackoff') {
      await clock.advance(500);
      waitedMs += 500;
    }
    waits.push(waitedMs);
  }

  expect(waits).toEqual([2_000, 3_000, 5_000, 9_000, 11_000, 11_000]);
});

test('waits are those of the configuration', async () => {
  const { clock, queue, add } = makeQueue(undefined, {
    podInitialBackoffSeconds: 3,
    podMaxBackoffSeconds: 4,
  });
  add('p');
  queue.putFailed(queue.pop()!);
  await clock.advance(3_000);
  expect(queue.pop()).toBeUndefined();

  await clock.advance(1_000);
  queue.putFailed(queue.pop()!);
  await clock.advance(5_000);
  expect(queue.pop()?.uid).toBe('p');
});

test('a pod that nothing has helped is tried again after five minutes', async () => {
  const { clock, queue, add, refused } = makeQueue();
  add('p');
  queue.putRefused(queue.pop()!, refused);
  await clock.advance(4 * 60_000);
  expect(queue.placeOf('p')).toBe('resting');

  await clock.advance(90_000);
  expect(queue.pop()?.uid).toBe('p');
});

test('a gated pod stays out until it is admitted', () => {
  const admitted = { now: false };
  const { queue, add } = makeQueue(admitted);
  add('p');
  expect(queue.pop()).toBeUndefined();

  admitted.now = true;
  queue.reconsider('p');
  expect(queue.pop()?.uid).toBe('p');
});

test('a deleted pod is nowhere any more', () => {
  const { queue, add, refused } = makeQueue();
  add('a');
  add('b');
  queue.putRefused(queue.pop()!, refused);
  queue.delete('a');
  queue.delete('b');
  queue.onEvent(someEvent);

  expect(queue.size).toBe(0);
  expect(queue.pop()).toBeUndefined();
});

test('who waited for a pod leaves no listener behind', async () => {
  const { queue, add } = makeQueue();
  const { signal } = new AbortController();
  for (const name of ['a', 'b', 'c']) {
    const ready = queue.ready(signal);
    add(name);
    await ready;
    queue.pop();
  }
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});
