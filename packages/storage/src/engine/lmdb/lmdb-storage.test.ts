import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ManualClock, seededRandom } from '@coxswain/apimachinery';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { engineSuite } from '../../../suite/engine-suite.ts';
import { storageSuite } from '../../../suite/storage-suite.ts';
import { prefixRange, type StorageError } from '../../storage.ts';
import { checkpointBoundsDefault, type CheckpointBounds } from '../log/logged-table.ts';
import { checkStore } from './check-store.ts';
import { LmdbStorage, type LmdbOptions } from './lmdb-storage.ts';

/** The number of readable entries of a damaged store, or the refusal. */
async function countOrRefusal(directory: string): Promise<string> {
  try {
    const storage = new LmdbStorage({ directory });
    const { entries } = await storage.list(prefixRange('/'));
    await storage.close();
    return String(entries.length);
  } catch (failure) {
    return (failure as StorageError).kind;
  }
}

const temporary = (): string => mkdtempSync(join(tmpdir(), 'coxswain-lmdb-'));

/** Entries and history are in the log, in the tables, and in transit, all at the same time. */
const often: CheckpointBounds = { ...checkpointBoundsDefault, events: 5, batchEvents: 2 };

const openTemporary = async (options: Partial<LmdbOptions> = {}) => {
  const clock = new ManualClock();
  const directory = temporary();
  // The checks are the same in both modes; relaxed saves some thousand syncs.
  const storage = new LmdbStorage({ directory, clock, durability: 'relaxed', ...options });
  return {
    storage,
    // An expiry has to reach the disk before it is visible.
    advance: async (ms: number) => {
      await clock.advance(ms);
      await storage.engine.transact({ success: [] });
    },
    dispose: async () => rmSync(directory, { recursive: true }),
  };
};

storageSuite('the LMDB engine', openTemporary);
engineSuite('the LMDB engine', openTemporary);
const openBusy = (options: Partial<LmdbOptions> = {}) => openTemporary({ ...options, checkpoints: often });
storageSuite('the LMDB engine with checkpoints all the time', openBusy);
engineSuite('the LMDB engine with checkpoints all the time', openBusy);

describe('a data directory', () => {
  let directory: string;
  beforeEach(() => {
    directory = temporary();
  });
  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  const put = (storage: LmdbStorage, key: string, value: string, ttlSeconds?: number) =>
    storage.update(key, () => ({
      kind: 'put',
      value: Buffer.from(value),
      ...(ttlSeconds && { ttlSeconds }),
    }));
  const text = async (storage: LmdbStorage, key: string, revision?: number) =>
    Buffer.from((await storage.get(key, { revision }))?.value ?? '').toString();

  test('keeps entries, revisions, history and the compacted revision', async () => {
    const before = new LmdbStorage({ directory });
    const first = (await put(before, '/a', '1'))!;
    await put(before, '/a', '2');
    await put(before, '/b', '1');
    await before.update('/b', () => ({ kind: 'delete' }));
    const revision = await before.revision();
    await before.close();

    const after = new LmdbStorage({ directory });
    expect(await after.revision()).toBe(revision);
    expect(await text(after, '/a')).toBe('2');
    expect(await text(after, '/a', first.modRevision)).toBe('1');
    expect(await after.get('/b')).toBeUndefined();
    expect((await put(after, '/c', '1'))!.modRevision).toBe(revision + 1);
    await after.compact(revision);
    await after.close();

    const again = new LmdbStorage({ directory });
    await expect(again.get('/a', { revision: first.modRevision })).rejects.toMatchObject({
      kind: 'compacted',
    });
    expect(await again.revision()).toBe(revision + 1);
    await again.close();
  });

  test('keeps leases with their time of expiry', async () => {
    const clock = new ManualClock();
    const before = new LmdbStorage({ directory, clock });
    await put(before, '/soon', '1', 10);
    await put(before, '/later', '1', 100);
    await before.close();
    await clock.advance(50_000);

    const after = new LmdbStorage({ directory, clock });
    await clock.advance(1);
    await expect.poll(() => after.get('/soon')).toBeUndefined();
    expect(await text(after, '/later')).toBe('1');
    await after.close();
  });

  test('a second store on it is refused, and the first continues', async () => {
    const first = new LmdbStorage({ directory });
    expect(() => new LmdbStorage({ directory })).toThrow(
      expect.objectContaining({
        kind: 'locked',
        message: `data directory ${directory} is in use by process ${process.pid}`,
      }),
    );
    await put(first, '/a', '1');
    await first.close();

    const second = new LmdbStorage({ directory });
    expect(await text(second, '/a')).toBe('1');
    await second.close();
  });

  test.each([
    ['of text', (path: string) => writeFileSync(path, 'not a database\n'.repeat(1000))],
    ['cut off', (path: string) => truncateSync(path, 5 * 4096)],
    ['cut off in the first page', (path: string) => truncateSync(path, 100)],
  ])('with a file %s is refused as corrupt, and left as it is', async (_, damage) => {
    const storage = new LmdbStorage({ directory });
    for (let i = 0; i < 20; i++) await put(storage, `/${i}`, 'x'.repeat(3000));
    await storage.close();
    const path = join(directory, 'data.mdb');
    damage(path);
    const damaged = readFileSync(path);

    expect(() => new LmdbStorage({ directory })).toThrow(expect.objectContaining({ kind: 'corrupt' }));
    expect(readFileSync(path).equals(damaged)).toBe(true);
  });

  test('with damaged pages is refused, or was not in need of them', async () => {
    const random = seededRandom(11);
    const storage = new LmdbStorage({ directory, durability: 'relaxed' });
    for (let i = 0; i < 300; i++) await put(storage, `/${i % 200}`, 'x'.repeat(i * 17));
    const { count } = await storage.list(prefixRange('/'));
    await storage.close();
    const path = join(directory, 'data.mdb');
    const good = readFileSync(path);
    const outcomes = new Set<string>();
    for (let round = 0; round < 30; round++) {
      const page = 2 + Math.floor(random.next() * (good.length / 4096 - 2));
      const bytes = Buffer.from(good);
      for (let i = 0; i < 4096; i++) bytes[page * 4096 + i] = random.next() * 256;
      writeFileSync(path, bytes);
      outcomes.add(await countOrRefusal(directory));
    }
    expect([...outcomes].sort()).toEqual([String(count), 'corrupt']);
  });

  test.each([
    ['data.mdb', 'a directory', (path: string) => mkdirSync(path)],
    ['superblock', 'a directory', (path: string) => mkdirSync(path)],
    ['log.1', 'a pipe', (path: string) => void execFileSync('mkfifo', [path])],
  ])('whose %s is %s is refused as corrupt', async (name, _, make) => {
    const storage = new LmdbStorage({ directory });
    await put(storage, '/a', '1');
    await storage.close();
    rmSync(join(directory, name), { force: true });
    make(join(directory, name));

    const refusal = { kind: 'corrupt', message: expect.stringContaining(`${name} is not a file`) };
    expect(() => new LmdbStorage({ directory })).toThrow(expect.objectContaining(refusal));
    await expect(checkStore(directory)).rejects.toMatchObject(refusal);
  });

  test('with a flag of a row that LMDB would follow is refused, or was not in need of it', async () => {
    const storage = new LmdbStorage({ directory, durability: 'relaxed' });
    for (let i = 0; i < 60; i++) await put(storage, `/${i % 40}`, 'x'.repeat(i * 17));
    const { count } = await storage.list(prefixRange('/'));
    await storage.close();
    const path = join(directory, 'data.mdb');
    const good = readFileSync(path);
    const [leaf, isDuplicate] = [0x02, 0x04];
    const outcomes = new Set<string>();
    for (let page = 2 * 4096; page < good.length; page += 4096) {
      if (good.readUInt16LE(page + 18) !== leaf) continue;
      const bytes = Buffer.from(good);
      bytes[page + 24 + good.readUInt16LE(page + 24) + 4]! |= isDuplicate;
      writeFileSync(path, bytes);
      outcomes.add(await countOrRefusal(directory));
    }
    expect([...outcomes].sort()).toEqual([String(count), 'corrupt']);
  });

  test('that cannot be made is refused', () => {
    const file = join(directory, 'file');
    writeFileSync(file, '');
    expect(() => new LmdbStorage({ directory: join(file, 'data') })).toThrow(
      expect.objectContaining({ kind: 'unavailable', message: expect.stringContaining(join(file, 'data')) }),
    );
  });

  test('a key that is too long is refused, and the store continues', async () => {
    const storage = new LmdbStorage({ directory });
    await expect(put(storage, `/${'k'.repeat(3000)}`, '1')).rejects.toMatchObject({ kind: 'too-large' });
    await put(storage, '/a', '1');
    expect((await storage.list(prefixRange('/'))).count).toBe(1);
    await storage.close();
  });

  test('writes of one turn are stored together', async () => {
    const storage = new LmdbStorage({ directory });
    const turns: number[] = [];
    const subscription = storage.subscribe(prefixRange('/'), 1, {
      onEvents: ({ revision }) => void turns.push(revision),
      onEnd: () => undefined,
    });
    await Promise.all(Array.from({ length: 100 }, (_, i) => put(storage, `/${i}`, 'x')));
    subscription.cancel();

    expect(turns).toEqual(Array.from({ length: 100 }, (_, i) => i + 2));
    await storage.close();
  });
});
