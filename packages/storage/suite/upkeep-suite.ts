/** An operator's tasks with an engine: limiting and saving it, releasing space, comparing two. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Engine } from '../src/engine/engine.ts';
import { MemoryStorage } from '../src/engine/memory/memory-storage.ts';
import type { EngineOptions } from '../src/engine/mvcc-engine.ts';
import type { OpenedEngine } from './opened-engine.ts';

export function upkeepSuite(
  name: string,
  open: (options?: Partial<EngineOptions>) => Promise<OpenedEngine>,
): void {
  describe(`the upkeep of ${name}`, () => {
    let opened: OpenedEngine;
    let engine: Engine;

    const begin = async (options?: Partial<EngineOptions>) => {
      opened = await open(options);
      engine = opened.storage.engine;
    };
    beforeEach(() => begin());
    afterEach(async () => {
      await opened.storage.close();
      await opened.dispose?.();
    });
    const beginAgain = async (options: Partial<EngineOptions>) => {
      await opened.storage.close();
      await opened.dispose?.();
      await begin(options);
    };

    test('a store at its quota refuses writes, and takes deletes, reads and compaction', async () => {
      await beginAgain({ quotaBytes: 256 * 1024, historyMsMax: 0 });
      const refused = await fillUntilRefused(engine);

      expect(refused).toMatchObject({
        kind: 'no-space',
        message: 'etcdserver: mvcc: database space exceeded',
      });
      expect(engine.alarms.list()).toEqual(['NOSPACE']);
      await expect(engine.transact({ success: [put('small', 1)] })).rejects.toMatchObject({
        kind: 'no-space',
      });
      await expect(engine.leases.grant(1n, 60)).rejects.toMatchObject({ kind: 'no-space' });
      expect(engine.get('key-0')).toBeDefined();
      await engine.transact({ success: [{ kind: 'delete', range: { key: 'key-0' } }] });
      await engine.compact(engine.revision);
      expect(engine.get('key-0')).toBeUndefined();
    });

    test('a store takes writes again when it is smaller and its alarm is disarmed, not before', async () => {
      await beginAgain({ quotaBytes: 256 * 1024, historyMsMax: 0 });
      await fillUntilRefused(engine);
      await engine.alarms.disarm('NOSPACE');
      await expect(engine.transact({ success: [put('more', 60_000)] })).rejects.toMatchObject({
        kind: 'no-space',
      });

      await engine.transact({ success: [{ kind: 'delete', range: everything }] });
      await engine.compact(engine.revision);
      await engine.defragment();
      await expect(engine.transact({ success: [put('more', 1)] })).rejects.toMatchObject({
        kind: 'no-space',
      });
      await engine.alarms.disarm('NOSPACE');
      await engine.transact({ success: [put('more', 1)] });

      expect(engine.alarms.list()).toEqual([]);
    });

    test('defragmentation loses no concurrent write, and readers continue', async () => {
      for (let i = 0; i < 50; i++) await engine.transact({ success: [put(`key-${i}`, 2_000)] });
      const over = engine.defragment();
      const writes = Array.from({ length: 40 }, (_, i) =>
        engine.transact({ success: [put(`new-${i}`, 100)] }),
      );
      expect(engine.range(everything).count).toBeGreaterThanOrEqual(50);
      await Promise.all([over, ...writes]);

      expect(engine.range(everything).count).toBe(90);
      expect(engine.history(everything, 1).length).toBe(90);
      await engine.transact({ success: [put('last', 1)] });
      expect(engine.get('last')?.modRevision).toBe(92);
    });

    test('a snapshot has the state at its beginning, with history and leases', async () => {
      await engine.leases.grant(7n, 60);
      await engine.transact({ success: [{ ...put('a', 10), leaseId: 7n }, put('b', 300_000)] });
      await engine.transact({ success: [put('a', 20)] });
      await engine.transact({ success: [{ kind: 'delete', range: { key: 'b' } }] });
      const hash = engine.hashKv();
      const chunks = engine.snapshot();
      await engine.transact({ success: [put('later', 1)] });
      const { engine: copy, ...storage } = await MemoryStorage.restored(chunks);

      expect(copy.revision).toBe(4);
      expect(copy.hashKv()).toBe(hash);
      expect(copy.hashKv(2)).toBe(engine.hashKv(2));
      expect(copy.history(everything, 1).map(({ events }) => events)).toEqual(
        engine.history(everything, 1, 4).map(({ events }) => events.map(plain)),
      );
      expect(copy.leases.get(7n)).toMatchObject({ ttlSeconds: 60 });
      expect(storage).toBeDefined();
      await copy.close();
    });

    test('a snapshot that is cut off or altered is refused', async () => {
      await engine.transact({ success: [put('a', 1_000)] });
      const bytes = await collect(engine.snapshot());
      const altered = bytes.slice();
      altered[600]! ^= 1;

      for (const damaged of [altered, bytes.slice(0, -1), bytes.slice(0, 40), new Uint8Array(0)]) {
        await expect(MemoryStorage.restored(once(damaged))).rejects.toMatchObject({ kind: 'corrupt' });
      }
      await expect(MemoryStorage.restored(once(bytes))).resolves.toBeDefined();
    });

    test('only so many revisions of the past are kept', async () => {
      await beginAgain({ historyMsMax: 0, historyRevisionsMax: 10 });
      for (let i = 0; i < 30; i++) await engine.transact({ success: [put('a', i)] });
      await opened.advance(60_000);

      expect(engine.compactedRevision).toBe(21);
      expect(engine.get('a', 21)?.value.length).toBe(19);
    });
  });
}

const everything = { start: '\0', end: '\u0100' };
const put = (key: string, bytes: number) =>
  ({ kind: 'put', key, value: new Uint8Array(bytes).fill(7) }) as const;

async function fillUntilRefused(engine: Engine): Promise<unknown> {
  for (let i = 0; i < 1_000; i++) {
    try {
      await engine.transact({ success: [put(`key-${i}`, 3_000)] });
    } catch (failure) {
      return failure;
    }
  }
  return undefined;
}

async function collect(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** Engines keep values in classes of their own. */
const plain = <T extends { entry: { value: Uint8Array }; previous?: { value: Uint8Array } }>(event: T) => ({
  ...event,
  entry: { ...event.entry, value: new Uint8Array(event.entry.value) },
  ...(event.previous && { previous: { ...event.previous, value: new Uint8Array(event.previous.value) } }),
});
