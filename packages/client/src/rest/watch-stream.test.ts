import type { KubeObject, WatchEvent } from '@coxswain/apimachinery';
import { expect, test } from 'vitest';
import type { TransportResponse } from '../transport.ts';
import { WatchBatches } from './watch-stream.ts';

const named = (name: string): KubeObject => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } });
const added = (name: string): WatchEvent<KubeObject> => ({ type: 'ADDED', object: named(name) });
const expired = {
  type: 'ERROR',
  object: { kind: 'Status', code: 410, reason: 'Expired', message: 'too old resource version' },
} as unknown as WatchEvent<KubeObject>;
const line = (event: WatchEvent<KubeObject>): string => `${JSON.stringify(event)}\n`;

function answer(more: Partial<TransportResponse>): TransportResponse {
  const none = () => Promise.reject(new Error('no body is read as a whole'));
  return { status: 200, headers: {}, bytes: none, stream: () => chunksOf(), ...more };
}

async function* chunksOf(...texts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield new TextEncoder().encode(text);
}

const overBytes = (...texts: readonly string[]) =>
  new WatchBatches<KubeObject>(async () => answer({ stream: () => chunksOf(...texts) }));

const inProcess = (batches: readonly (readonly WatchEvent<KubeObject>[])[], left: () => void = () => {}) =>
  new WatchBatches<KubeObject>(async () => {
    async function* events() {
      try {
        yield* batches;
      } finally {
        left();
      }
    }
    return answer({ events: events() });
  });

const namesOf = (batch: readonly WatchEvent<KubeObject>[]) => batch.map(({ object }) => object.metadata.name);

async function allOf(batches: WatchBatches<KubeObject>) {
  const all = [];
  for await (const batch of batches) all.push(namesOf(batch));
  return all;
}

test('events that came together are read together, also those cut in two on the way', async () => {
  const [a, b, c] = ['a', 'b', 'c'].map((name) => line(added(name))) as [string, string, string];
  const batches = overBytes(a + b + c.slice(0, 9), c.slice(9));

  expect(await allOf(batches)).toEqual([['a', 'b'], ['c']]);
});

test('a last event without its line end is an event, and empty lines are none', async () => {
  expect(await allOf(overBytes('\n\n', line(added('a')), JSON.stringify(added('b'))))).toEqual([
    ['a'],
    ['b'],
  ]);
});

test('a character cut in two on the way is whole', async () => {
  const bytes = new TextEncoder().encode(line(added('würde')));
  const cut = bytes.indexOf(0xc3) + 1;
  const batches = new WatchBatches<KubeObject>(async () =>
    answer({
      async *stream() {
        yield bytes.subarray(0, cut);
        yield bytes.subarray(cut);
      },
    }),
  );

  expect(await allOf(batches)).toEqual([['würde']]);
});

test('nothing is asked of the server until events are', async () => {
  let asked = 0;
  const batches = new WatchBatches<KubeObject>(async () => {
    asked++;
    return answer({});
  });
  const before = asked;
  await batches.next();

  expect([before, asked]).toEqual([0, 1]);
});

test('events before an error in one batch are read before the error is thrown', async () => {
  let isLeft = false;
  const batches = inProcess([[added('a'), expired, added('never')]], () => (isLeft = true));

  expect(namesOf((await batches.next()).value ?? [])).toEqual(['a']);
  await expect(batches.next()).rejects.toMatchObject({ code: 410, reason: 'Expired' });
  expect(isLeft).toBe(true);
  expect(await batches.next()).toEqual({ done: true, value: undefined });
});

test('an error that comes first is thrown at once', async () => {
  await expect(overBytes(line(expired)).next()).rejects.toMatchObject({ code: 410, reason: 'Expired' });
});

test('a reader that leaves ends the answer', async () => {
  let isLeft = false;
  const batches = inProcess([[added('a')], [added('b')]], () => (isLeft = true));
  for await (const batch of batches) {
    expect(namesOf(batch)).toEqual(['a']);
    break;
  }

  expect(isLeft).toBe(true);
  expect(await batches.next()).toEqual({ done: true, value: undefined });
});

test('a reader that leaves before it began makes no request', async () => {
  let asked = 0;
  const batches = new WatchBatches<KubeObject>(async () => {
    asked++;
    return answer({});
  });
  await batches.return();
  await batches.next();

  expect(asked).toBe(0);
});

test('a request that fails fails the first read', async () => {
  const batches = new WatchBatches<KubeObject>(() => Promise.reject(new Error('refused')));

  await expect(batches.next()).rejects.toThrow('refused');
});
