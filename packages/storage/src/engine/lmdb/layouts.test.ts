/** How stores of older and later layouts are opened. */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { ManualClock, systemClock } from '@coxswain/apimachinery';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { prefixRange } from '../../storage.ts';
import { alterRows, makeLayout1, makeLayout3 } from './altered-store.fixture.ts';
import { checkStore } from './check-store.ts';
import { describeStore } from './describe-store.ts';
import { dataFileOf, nextFileOf, superblockFileOf } from './file-names.ts';
import { LmdbStorage } from './lmdb-storage.ts';
import { SuperblockFile } from './superblock.ts';

let root: string;
let directory: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'coxswain-layouts-'));
  directory = join(root, 'data');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** Writes some keys twice, one on a lease, and deletes one; `end` is called before the store is closed. */
async function writeSome(end: () => void = () => undefined): Promise<void> {
  const storage = new LmdbStorage({ directory, durability: 'relaxed', clock: new ManualClock() });
  for (const round of ['first', 'second']) {
    for (let i = 0; i < 20; i++)
      await storage.update(`/key/${i}`, () => ({
        kind: 'put',
        value: Buffer.from(round.repeat(300)),
        ...(i === 3 && { ttlSeconds: 600 }),
      }));
    if (round === 'first') await storage.engine.defragment();
  }
  await storage.update('/key/7', () => ({ kind: 'delete' }));
  end();
  await storage.close();
}

/** Leaves in `directory` what a killed process leaves: half of the data in the log. */
async function writeAndKill(): Promise<void> {
  const killed = join(root, 'killed');
  await writeSome(() => cpSync(directory, killed, { recursive: true }));
  rmSync(directory, { recursive: true });
  cpSync(killed, directory, { recursive: true });
}

/** Everything readable, including history. */
async function contentOf(place: string): Promise<unknown> {
  const storage = new LmdbStorage({ directory: place, clock: new ManualClock() });
  const { engine } = storage;
  const content = {
    revision: engine.revision,
    hash: engine.hashKv(),
    past: engine
      .history(prefixRange('/'), engine.compactedRevision)
      .map(({ revision, events }) => [
        revision,
        events.map(({ type, entry }) => [type, entry.key, Buffer.from(entry.value).toString()]),
      ]),
    leases: engine.leases.all().map(({ id }) => [id, engine.leases.keys(id)]),
  };
  await storage.close();
  return content;
}

describe('layout 1', () => {
  test('is brought to the present one, with all that is in it', async () => {
    await writeSome();
    const before = await contentOf(directory);
    await makeLayout1(directory);
    expect((await describeStore(directory)).format).toBe('1');
    expect((await checkStore(directory)).problems).toEqual([
      'the format is 1, not 4: start a server on it once, and check then',
    ]);

    expect(await contentOf(directory)).toEqual(before);
    expect((await describeStore(directory)).format).toBe('4');
    expect((await checkStore(directory)).problems).toEqual([]);
  });

  test('stays unchanged when its replacement was left unfinished', async () => {
    await writeSome();
    const before = await contentOf(directory);
    await makeLayout1(directory);
    writeFileSync(nextFileOf(directory), readFileSync(dataFileOf(directory)).subarray(0, 8192));

    expect(await contentOf(directory)).toEqual(before);
  });
});

describe('layout 3', () => {
  test('is upgraded in place, including its log', async () => {
    await writeAndKill();
    await makeLayout3(directory);
    expect(await describeStore(directory)).toMatchObject({ format: '3', revision: 42 });
    const content = await contentOf(directory);

    expect(content).toMatchObject({ revision: 42 });
    expect(await describeStore(directory)).toMatchObject({ format: '4', revision: 42, keys: 19 });
    expect((await checkStore(directory)).problems).toEqual([]);
    expect(await contentOf(directory)).toEqual(content);
  });

  test('is brought to the present one by the next start where one was ended at it', async () => {
    await writeAndKill();
    await makeLayout3(directory);
    const old = join(root, 'old');
    cpSync(directory, old, { recursive: true });
    const superblock = SuperblockFile.create(directory, 'sync', systemClock);
    await superblock.close();
    const content = await contentOf(directory);
    expect(content).toMatchObject({ revision: 42 });

    // The tables have everything, and the log still exists.
    cpSync(join(old, 'log.0'), join(directory, 'log.0'));
    expect(await contentOf(directory)).toEqual(content);
  });

  test('is refused in place of an upgraded one', async () => {
    await writeSome();
    const superblock = readFileSync(superblockFileOf(directory));
    await makeLayout3(directory);
    writeFileSync(superblockFileOf(directory), superblock);

    expect(() => new LmdbStorage({ directory })).toThrow(/data\.mdb is of layout 3/);
  });
});

describe('a later layout', () => {
  test('is refused because of the tables', async () => {
    await writeSome();
    await alterRows(directory, 'meta', (key, value) =>
      key.toString() === 'format' ? Buffer.from('99') : value,
    );
    rmSync(superblockFileOf(directory));

    expect(() => new LmdbStorage({ directory })).toThrow(
      expect.objectContaining({
        kind: 'corrupt',
        message: expect.stringContaining('its format is 99; this version reads the formats up to 4'),
      }),
    );
  });

  test('is refused because of the superblock', async () => {
    await writeSome();
    const bytes = readFileSync(superblockFileOf(directory));
    for (const place of [0, 4096]) {
      bytes.writeUInt32BE(5, place + 20);
      bytes.writeUInt32BE(crc32(bytes.subarray(place + 4, place + 92)), place);
    }
    writeFileSync(superblockFileOf(directory), bytes);

    expect(() => new LmdbStorage({ directory })).toThrow(/its format is 5; this version reads/);
    await expect(checkStore(directory)).rejects.toThrow(/its format is 5/);
  });
});
