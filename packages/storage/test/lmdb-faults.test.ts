/** Disks that are full or refuse writes. These tests require permission to mount a file system. */
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { checkStore } from '../src/engine/lmdb/check-store.ts';
import { LmdbStorage } from '../src/engine/lmdb/lmdb-storage.ts';
import { prefixRange } from '../src/storage.ts';
import { smallDisk, type SmallDisk } from './small-disk.ts';

const diskBytes = 4 * 1024 * 1024;
const probe = smallDisk(diskBytes);
probe?.remove();

describe.runIf(probe !== undefined)('a disk', () => {
  let disk: SmallDisk | undefined;
  let storage: LmdbStorage | undefined;

  const openOn = (size: number): LmdbStorage => {
    disk = smallDisk(size)!;
    storage = new LmdbStorage({ directory: join(disk.directory, 'data'), historyMsMax: 0 });
    return storage;
  };
  afterEach(async () => {
    await storage?.close();
    disk?.remove();
    storage = disk = undefined;
  });

  const put = (store: LmdbStorage, key: string, bytes: number) =>
    store.update(key, () => ({ kind: 'put', value: Buffer.alloc(bytes, key) }));

  /** The number of acknowledged writes, and the error of the next one. */
  async function fill(store: LmdbStorage): Promise<{ written: number; failure: unknown }> {
    for (let written = 0; ; written++) {
      try {
        await put(store, `/key/${written}`, 30_000);
      } catch (failure) {
        return { written, failure };
      }
    }
  }

  test('that is full refuses writes in plain words, and every acknowledged one is there', async () => {
    const store = openOn(diskBytes);
    const { written, failure } = await fill(store);

    expect(failure).toMatchObject({
      kind: 'unavailable',
      message: 'the write could not be stored: no space left on device',
    });
    expect((await store.list(prefixRange('/key/'))).count).toBe(written);
    expect(store.currentRevision).toBe(written + 1);
    const seen: number[] = [];
    store.subscribe(prefixRange('/'), 1, {
      onEvents: ({ revision }) => void seen.push(revision),
      onEnd: () => undefined,
    });
    expect(seen.length).toBe(written);
    await store.close();
    expect((await checkStore(join(disk!.directory, 'data'))).problems).toEqual([]);
  });

  test('that has space again takes writes again, without a restart', async () => {
    const store = openOn(diskBytes);
    const { written } = await fill(store);
    await expect(put(store, '/more', 30_000)).rejects.toMatchObject({ kind: 'unavailable' });
    disk!.remount(`size=${4 * diskBytes}`);

    expect((await put(store, '/more', 30_000))!.modRevision).toBe(written + 2);
    expect((await store.get('/key/0'))!.value.length).toBe(30_000);
  });

  test('that is full lets leases expire when it has space again', async () => {
    const store = openOn(diskBytes);
    await store.engine.leases.grant(7n, 0.3);
    await store.engine.transact({
      success: [{ kind: 'put', key: '/leased', value: Buffer.alloc(10), leaseId: 7n }],
    });
    await fill(store);
    disk!.remount(`size=${4 * diskBytes}`);

    await expect.poll(() => store.engine.get('/leased'), { timeout: 5_000 }).toBeUndefined();
  });

  test('without room for a copy leaves the file as it is when it is to be defragmented', async () => {
    const store = openOn(diskBytes);
    const { written } = await fill(store);
    await expect(store.engine.defragment()).rejects.toThrow('no space left on device');

    expect((await store.list(prefixRange('/key/'))).count).toBe(written);
    disk!.remount(`size=${4 * diskBytes}`);
    await store.engine.defragment();
    expect((await put(store, '/more', 30_000))!.modRevision).toBe(written + 2);
  });

  test('that is read-only is refused in plain words', async () => {
    const store = openOn(diskBytes);
    await put(store, '/a', 100);
    await store.close();
    disk!.remount('ro');

    expect(() => new LmdbStorage({ directory: join(disk!.directory, 'data') })).toThrow(
      expect.objectContaining({
        kind: 'unavailable',
        message: expect.stringMatching(/read-only file system/i),
      }),
    );
    disk!.remount('rw');
    const again = new LmdbStorage({ directory: join(disk!.directory, 'data') });
    expect(await again.get('/a')).toBeDefined();
    await again.close();
  });
});
