import { setImmediate } from 'node:timers/promises';
import type { KubeObject, WatchEvent } from '@coxswain/apimachinery';
import { expect, test } from 'vitest';
import type { ServedEvent, ServedWatch } from '../rest/served.ts';
import { StructuredEvents } from './structured-events.ts';

const named = (name: string): KubeObject => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } });
const added = (name: string): ServedEvent => ({ type: 'ADDED', object: { object: named(name) } });
const resetEvent = (): ServedEvent => ({ type: 'BOOKMARK', revision: 7, initialEventsEnd: false });

function convert(event: ServedEvent): WatchEvent<KubeObject> {
  if (event.type === 'BOOKMARK') return { type: 'BOOKMARK', object: named(`revision ${event.revision}`) };
  if (event.type === 'ERROR') throw new Error('not to be converted');
  return { type: event.type, object: event.object.object };
}

/** A watch that returns the batches, then ends for the given reason, or waits until it is stopped. */
function watchOf(batches: readonly (readonly ServedEvent[])[], ended: string | undefined) {
  const left = [...batches];
  const stopped = Promise.withResolvers<undefined>();
  const watch = {
    stops: 0,
    ended,
    next: (): Promise<readonly ServedEvent[] | undefined> =>
      left.length > 0 || ended !== undefined ? Promise.resolve(left.shift()) : stopped.promise,
    stop() {
      watch.stops++;
      stopped.resolve(undefined);
    },
  };
  return watch satisfies ServedWatch;
}

function read(watch: ServedWatch) {
  const client = new AbortController();
  const events = new StructuredEvents({ watch, signal: client.signal, convert, resetEvent });
  let timesOver = 0;
  events.whenOver(() => void timesOver++);
  return { client, events, timesOver: () => timesOver };
}

const namesOf = (batch: readonly WatchEvent<KubeObject>[]) => batch.map(({ object }) => object.metadata.name);

test('events are read in the batches in which they became ready, then the watch ends', async () => {
  const watch = watchOf([[added('a'), added('b')], [added('c')]], 'stopped');
  const { events, timesOver } = read(watch);
  const batches = [];
  for await (const batch of events) batches.push(namesOf(batch));

  expect(batches).toEqual([['a', 'b'], ['c']]);
  expect({ timesOver: timesOver(), stops: watch.stops }).toEqual({ timesOver: 1, stops: 1 });
  expect(await events.next()).toEqual({ done: true, value: undefined });
});

test('a watch whose history was reset reports it once before it ends', async () => {
  const { events, timesOver } = read(watchOf([[added('a')]], 'reset'));
  const batches = [];
  for await (const batch of events) batches.push(namesOf(batch));

  expect(batches).toEqual([['a'], ['revision 7']]);
  expect(timesOver()).toBe(1);
});

test("a client's abort ends the watch for a waiting reader", async () => {
  const watch = watchOf([], undefined);
  const { client, events, timesOver } = read(watch);
  const waiting = events.next();
  client.abort();

  expect(await waiting).toEqual({ done: true, value: undefined });
  expect(timesOver()).toBe(1);
});

test('a client that aborted before the start gets nothing, and the watch is stopped', async () => {
  const watch = watchOf([], undefined);
  const events = new StructuredEvents({ watch, signal: AbortSignal.abort(), convert, resetEvent });

  expect(await events.next()).toEqual({ done: true, value: undefined });
  expect(watch.stops).toBeGreaterThan(0);
});

test('a reader that returns stops the watch and leaves no listener on the signal', async () => {
  const watch = watchOf([[added('a')], [added('b')]], 'stopped');
  const { client, events, timesOver } = read(watch);
  for await (const batch of events) {
    expect(namesOf(batch)).toEqual(['a']);
    break;
  }
  const { stops } = watch;
  client.abort();
  await setImmediate();

  expect({ stops, after: watch.stops, timesOver: timesOver() }).toEqual({ stops: 1, after: 1, timesOver: 1 });
});

test('a listener added after the end is called at once', async () => {
  const { events } = read(watchOf([], 'stopped'));
  await events.next();
  let reported = false;
  events.whenOver(() => (reported = true));

  expect(reported).toBe(true);
});

test('an event that can’t be converted fails the read and stops the watch', async () => {
  const watch = watchOf([[{ type: 'ERROR', status: {} as never }]], undefined);
  const { events, timesOver } = read(watch);

  await expect(events.next()).rejects.toThrow('not to be converted');
  expect({ timesOver: timesOver(), stops: watch.stops }).toEqual({ timesOver: 1, stops: 1 });
});

test('a failing watch fails the read and ends', async () => {
  const watch = { ...watchOf([], undefined), next: () => Promise.reject(new Error('the store is gone')) };
  const { events, timesOver } = read(watch);

  await expect(events.next()).rejects.toThrow('the store is gone');
  expect(timesOver()).toBe(1);
  expect(await events.next()).toEqual({ done: true, value: undefined });
});
