import { ManualClock } from '@coxswain/apimachinery';
import { describe, expect, test } from 'vitest';
import { engineSuite } from '../../../suite/engine-suite.ts';
import { storageSuite } from '../../../suite/storage-suite.ts';
import { prefixRange } from '../../storage.ts';
import { MemoryStorage, type MemoryOptions } from './memory-storage.ts';

const open = async (options: MemoryOptions = {}) => {
  const clock = new ManualClock();
  return { storage: new MemoryStorage({ clock, ...options }), advance: (ms: number) => clock.advance(ms) };
};

storageSuite('the memory engine', open);
engineSuite('the memory engine', open);

const put = (storage: MemoryStorage, key: string, value: string) =>
  storage.update(key, () => ({ kind: 'put', value: new TextEncoder().encode(value) }));

const content = async (storage: MemoryStorage): Promise<Record<string, string>> => {
  const { entries } = await storage.list(prefixRange('/'));
  return Object.fromEntries(entries.map(({ key, value }) => [key, new TextDecoder().decode(value)]));
};

test('an expiring object can be written after a reset to before its shared lease', async () => {
  const clock = new ManualClock();
  const storage = new MemoryStorage({ clock });
  const snapshot = storage.snapshot();
  const putFor = (key: string) =>
    storage.update(key, () => ({ kind: 'put', value: new Uint8Array(), ttlSeconds: 3600 }));
  await putFor('/a');

  storage.reset(snapshot);
  await putFor('/b');
  await clock.advance(3_700_000);

  expect(await content(storage)).toEqual({});
});

describe('a fork', () => {
  test("starts with the store's content and is independent of it", async () => {
    const storage = new MemoryStorage();
    await put(storage, '/a', '1');
    const fork = storage.fork();
    await put(storage, '/a', '2');
    await put(fork, '/b', '1');

    expect(await content(storage)).toEqual({ '/a': '2' });
    expect(await content(fork)).toEqual({ '/a': '1', '/b': '1' });
  });

  test('knows the past of the store', async () => {
    const storage = new MemoryStorage();
    const first = (await put(storage, '/a', '1'))!;
    await put(storage, '/a', '2');
    const fork = storage.fork();
    await put(storage, '/a', '3');

    expect(new TextDecoder().decode((await fork.get('/a', { revision: first.modRevision }))!.value)).toBe(
      '1',
    );
  });

  test('keeps leases running on its own', async () => {
    const clock = new ManualClock();
    const storage = new MemoryStorage({ clock });
    await storage.update('/a', () => ({ kind: 'put', value: new Uint8Array(), ttlSeconds: 10 }));
    const fork = storage.fork();
    await put(fork, '/a', 'kept');
    await clock.advance(11_000);

    expect(await content(storage)).toEqual({});
    expect(await content(fork)).toEqual({ '/a': 'kept' });
  });
});

describe('a reset', () => {
  test('brings back the content of a snapshot, any number of times', async () => {
    const storage = new MemoryStorage();
    await put(storage, '/a', '1');
    const snapshot = storage.snapshot();
    for (const value of ['x', 'y']) {
      await put(storage, '/a', value);
      await put(storage, `/${value}`, value);
      storage.reset(snapshot);
      expect(await content(storage)).toEqual({ '/a': '1' });
    }
  });

  test('never gives out a revision twice', async () => {
    const storage = new MemoryStorage();
    await put(storage, '/a', '1');
    const snapshot = storage.snapshot();
    const lost = (await put(storage, '/b', '1'))!;
    storage.reset(snapshot);

    expect((await put(storage, '/c', '1'))!.modRevision).toBeGreaterThan(lost.modRevision);
  });

  test('ends watches, so that their owners list again', async () => {
    const storage = new MemoryStorage();
    const snapshot = storage.snapshot();
    const watch = (async () => {
      for await (const _ of storage.watch(prefixRange('/'), 1, new AbortController().signal));
    })();
    watch.catch(() => undefined);
    await put(storage, '/a', '1');
    storage.reset(snapshot);

    await expect(watch).rejects.toMatchObject({ kind: 'compacted' });
  });
});

test('the past that lies in memory is bounded in bytes, and its newest part stays', async () => {
  const bytesMax = 64 * 1024;
  const storage = new MemoryStorage({ clock: new ManualClock(), historyBytesMax: bytesMax });
  const value = new Uint8Array(1_000);
  let past = 0;
  for (let round = 0; round < 1_000; round++) {
    await storage.engine.transact({ success: [{ kind: 'put', key: 'a', value }] });
    const { revision, compactedRevision } = storage.engine;
    past = Math.max(past, (revision - compactedRevision) * value.length);
  }
  const { revision } = storage.engine;

  expect(past).toBeLessThanOrEqual(bytesMax);
  expect(storage.engine.get('a', revision - 10)?.modRevision).toBe(revision - 10);
  await storage.close();
});
