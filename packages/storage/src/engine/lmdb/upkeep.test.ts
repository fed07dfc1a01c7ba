import { cpSync, createReadStream, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { prefixRange } from '../../storage.ts';
import { alterRows, type ChangeRow } from './altered-store.fixture.ts';
import { checkStore } from './check-store.ts';
import { describeStore } from './describe-store.ts';
import { dataFileOf } from './file-names.ts';
import { LmdbStorage } from './lmdb-storage.ts';
import { restoreSnapshot } from './restore-snapshot.ts';

let root: string;
let directory: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'coxswain-upkeep-'));
  directory = join(root, 'data');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const put = (storage: LmdbStorage, key: string, value: string, ttlSeconds?: number) =>
  storage.update(key, () => ({ kind: 'put', value: Buffer.from(value), ...(ttlSeconds && { ttlSeconds }) }));

/** Writes some keys twice, one on a lease, and deletes one. */
async function writeSome(): Promise<void> {
  const storage = new LmdbStorage({ directory, durability: 'relaxed' });
  for (const round of ['first', 'second']) {
    for (let i = 0; i < 20; i++)
      await put(storage, `/key/${i}`, round.repeat(300), i === 3 ? 600 : undefined);
  }
  await storage.update('/key/7', () => ({ kind: 'delete' }));
  await storage.close();
}

/** Everything readable, including history. */
async function contentOf(place: string): Promise<unknown> {
  const storage = new LmdbStorage({ directory: place });
  const { engine } = storage;
  const content = {
    revision: engine.revision,
    hash: engine.hashKv(),
    past: engine.history(prefixRange('/'), engine.compactedRevision),
    leases: engine.leases.all().map(({ id }) => [id, engine.leases.keys(id)]),
  };
  await storage.close();
  return content;
}

describe('a check', () => {
  test('finds no problem in an intact store, even after compaction, defragmentation and restarts', async () => {
    await writeSome();
    const storage = new LmdbStorage({ directory });
    await storage.compact(30);
    await storage.engine.defragment();
    await put(storage, '/key/7', 'again');
    await storage.close();

    expect(await checkStore(directory)).toMatchObject({ entries: 20, leases: 1, problems: [] });
  });

  test('counts what a killed process left in its log', async () => {
    await writeSome();
    const storage = new LmdbStorage({ directory, durability: 'relaxed' });
    for (let i = 15; i < 30; i++) await put(storage, `/key/${i}`, 'logged', i === 29 ? 600 : undefined);
    await storage.update('/key/1', () => ({ kind: 'delete' }));
    const copy = join(root, 'copy');
    cpSync(directory, copy, { recursive: true });
    await storage.close();

    expect(await checkStore(copy)).toMatchObject({ entries: 28, records: 57, leases: 2, problems: [] });
    expect(await describeStore(copy)).toMatchObject({ keys: 28, records: 57, leases: 2 });
  });

  test.each<[string, string, ChangeRow, RegExp]>([
    [
      'a byte of a value',
      'head',
      (key, value) => (key.toString() === '/key/5' ? flipped(value) : value),
      /entry \/key\/5 is damaged/,
    ],
    [
      'a byte of the past',
      'log',
      (key, value) => (key.readUIntBE(0, 6) === 30 ? flipped(value) : value),
      /record 30 is damaged/,
    ],
    [
      'an entry that is gone',
      'head',
      (key, value) => (key.toString() === '/key/5' ? undefined : value),
      /\/key\/5 was written at revision 27/,
    ],
    [
      'a revision that is gone',
      'log',
      (key, value) => (key.readUIntBE(0, 6) === 30 ? undefined : value),
      /nothing at revision 30/,
    ],
    ['a lease that is gone', 'leases', () => undefined, /\/key\/3 is on lease .*, which is not there/],
    [
      'a key that its lease does not know',
      'leased',
      () => undefined,
      /\/key\/3 is on lease .*, which does not name it/,
    ],
  ])('tells of %s', async (_, table, change, problem) => {
    await writeSome();
    await alterRows(directory, table, change);
    expect((await checkStore(directory)).problems.join('\n')).toMatch(problem);
  });

  test('is refused while a process uses the directory', async () => {
    const storage = new LmdbStorage({ directory });
    await expect(checkStore(directory)).rejects.toMatchObject({
      kind: 'locked',
      message: `data directory ${directory} is in use by process ${process.pid}`,
    });
    await storage.close();
  });
});

async function* nothing(): AsyncGenerator<Uint8Array> {}

const flipped = (value: Buffer): Buffer => {
  const bytes = Buffer.from(value);
  bytes[bytes.length - 1]! ^= 1;
  return bytes;
};

describe('defragmentation', () => {
  test('shrinks the file to the size of its content', async () => {
    const storage = new LmdbStorage({ directory, durability: 'relaxed' });
    for (let i = 0; i < 300; i++) await put(storage, `/key/${i}`, 'x'.repeat(9_000));
    for (let i = 1; i < 300; i++) await storage.update(`/key/${i}`, () => ({ kind: 'delete' }));
    await storage.compact(storage.currentRevision);
    expect(storage.engine.size().usedBytes).toBeLessThan(200_000);
    expect(storage.engine.size().totalBytes).toBeGreaterThan(2_000_000);

    await storage.engine.defragment();
    expect(storage.engine.size().totalBytes).toBeLessThan(200_000);
    expect(statSync(dataFileOf(directory)).size).toBeLessThan(300_000);
    await storage.close();
    expect((await checkStore(directory)).problems).toEqual([]);
  });

  test('again and again under writes loses nothing', async () => {
    const storage = new LmdbStorage({ directory, durability: 'relaxed' });
    let written = 0;
    let isOver = false;
    const writing = Array.from({ length: 8 }, async (_, writer) => {
      while (!isOver) {
        await put(storage, `/w${writer}`, String(written));
        written++;
      }
    });
    for (let round = 0; round < 8; round++) await storage.engine.defragment();
    isOver = true;
    await Promise.all(writing);

    expect(storage.currentRevision).toBe(written + 1);
    await storage.close();
    expect((await checkStore(directory)).problems).toEqual([]);
  });
});

describe('a snapshot', () => {
  test('becomes a directory with the same content', async () => {
    await writeSome();
    const storage = new LmdbStorage({ directory });
    const file = join(root, 'snapshot');
    writeFileSync(file, Buffer.concat(await Array.fromAsync(storage.engine.snapshot())));
    await storage.close();
    const other = join(root, 'other');
    await restoreSnapshot(createReadStream(file), other);

    expect(await contentOf(other)).toEqual(await contentOf(directory));
    expect((await checkStore(other)).problems).toEqual([]);
    await expect(restoreSnapshot(nothing(), other)).rejects.toMatchObject({
      message: `data directory ${other} holds a store already`,
    });
  });

  test('with raised revisions forgets its past', async () => {
    await writeSome();
    const storage = new LmdbStorage({ directory });
    await restoreSnapshot(storage.engine.snapshot(), join(root, 'other'), { bumpRevision: 1_000 });
    const revision = storage.currentRevision;
    await storage.close();
    const other = new LmdbStorage({ directory: join(root, 'other') });

    expect((await put(other, '/new', '1'))!.modRevision).toBe(revision + 1_001);
    await expect(other.get('/key/1', { revision })).rejects.toMatchObject({ kind: 'compacted' });
    await other.close();
  });

  test('that is damaged leaves no store behind', async () => {
    await writeSome();
    const storage = new LmdbStorage({ directory });
    const bytes = Buffer.concat(await Array.fromAsync(storage.engine.snapshot()));
    await storage.close();
    const file = join(root, 'snapshot');
    writeFileSync(file, bytes.subarray(0, bytes.length - 10));
    const other = join(root, 'other');

    await expect(restoreSnapshot(createReadStream(file), other)).rejects.toMatchObject({ kind: 'corrupt' });
    await expect(checkStore(other)).resolves.toMatchObject({ entries: 0 });
  });

  test('that is being read when the store closes ends with an error', async () => {
    await writeSome();
    const storage = new LmdbStorage({ directory });
    for (let i = 0; i < 400; i++) await put(storage, `/big/${i}`, 'x'.repeat(4_000));
    const chunks = storage.engine.snapshot()[Symbol.asyncIterator]();
    await chunks.next();
    await storage.close();

    await expect(chunks.next()).rejects.toMatchObject({ kind: 'closed' });
  });

  test('that is being read while the file is exchanged is that of its beginning', async () => {
    const storage = new LmdbStorage({ directory, durability: 'relaxed' });
    for (let i = 0; i < 400; i++) await put(storage, `/big/${i}`, 'x'.repeat(4_000));
    const chunks = storage.engine.snapshot()[Symbol.asyncIterator]();
    const parts = [(await chunks.next()).value as Uint8Array];
    await storage.engine.defragment();
    await put(storage, '/later', '1');
    for (let next = await chunks.next(); !next.done; next = await chunks.next()) parts.push(next.value);
    await restoreSnapshot(
      (async function* () {
        yield* parts;
      })(),
      join(root, 'other'),
    );
    await storage.close();

    expect(await describeStore(join(root, 'other'))).toMatchObject({ keys: 400, revision: 401 });
  });
});
