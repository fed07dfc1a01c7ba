import { ManualClock } from '@coxswain/apimachinery';
import { beforeEach, expect, test } from 'vitest';
import { MemoryStorage } from '../engine/memory/memory-storage.ts';
import {
  StorageError,
  prefixRange,
  type EventBatch,
  type KeyRange,
  type RemoteStorage,
  type Revision,
  type Storage,
} from '../storage.ts';
import { Cacher } from './cacher.ts';
import { directory, erase, keysOf, seen, thingCodec, write, type Thing } from './thing.fixture.ts';

/** A remote store whose connection can be cut and delayed, and which can be compacted. */
class FarStorage implements RemoteStorage {
  compactedRevision = 0;
  #near: MemoryStorage;
  #cuts = new AbortController();
  #failure: StorageError | undefined;
  #progress: (() => void)[] = [];
  lists = 0;

  constructor(near: MemoryStorage) {
    this.#near = near;
  }

  revision = () => this.#near.revision();
  get: Storage['get'] = (key, options) => this.#near.get(key, options);
  update: Storage['update'] = (key, change, options) => this.#near.update(key, change, options);
  compact = (revision: Revision) => this.#near.compact(revision);
  close = () => this.#near.close();
  list: Storage['list'] = (range, options) => {
    this.lists++;
    return this.#near.list(range, options);
  };

  async *watch(
    range: KeyRange,
    after: Revision,
    signal: AbortSignal,
  ): AsyncGenerator<EventBatch, void, void> {
    const cut = this.#cuts.signal;
    const near = this.#near.watch(range, after, AbortSignal.any([signal, cut]));
    let next = near.next();
    for (;;) {
      const progress = new Promise<'progress'>((resolve) => this.#progress.push(() => resolve('progress')));
      const step = await Promise.race([next, progress]);
      if (step === 'progress') {
        yield { revision: await this.#near.revision(), events: [] };
        continue;
      }
      if (cut.aborted) throw this.#failure;
      if (step.done) return;
      yield step.value;
      next = near.next();
    }
  }

  async reportsProgress(): Promise<boolean> {
    return true;
  }

  requestProgress(_range: KeyRange): void {
    const waiting = this.#progress;
    this.#progress = [];
    for (const report of waiting) report();
  }

  /** Restores a backup: later writes are lost. */
  restore(near: MemoryStorage): void {
    this.#near = near;
  }

  cut(failure: StorageError): void {
    this.#failure = failure;
    this.#cuts.abort();
    this.#cuts = new AbortController();
  }
}

let clock: ManualClock;
let near: MemoryStorage;
let far: FarStorage;
let cacher: Cacher<Thing>;

beforeEach(async () => {
  clock = new ManualClock();
  near = new MemoryStorage();
  far = new FarStorage(near);
  cacher = new Cacher({ storage: far, prefix: directory, codec: thingCodec(), clock });
  await cacher.ready();
});

test('a consistent read sees a write that another server made', async () => {
  await write(near, 'a', {});
  expect(await cacher.get(`${directory}a`)).toMatchObject({ revision: 2 });
  await erase(near, 'a');
  expect((await cacher.list()).objects).toEqual([]);
});

test('a consistent read asks for progress when other resources moved the revision', async () => {
  await near.update('/registry/others/a', () => ({ kind: 'put', value: new Uint8Array() }));
  expect((await cacher.list()).revision).toBe(2);
});

test('many consistent reads at once ask the store a few times', async () => {
  let asked = 0;
  const { revision } = far;
  far.revision = () => {
    asked++;
    return revision();
  };
  await Promise.all(Array.from({ length: 100 }, () => cacher.get(`${directory}a`)));
  expect(asked).toBeLessThanOrEqual(2);
});

test('readers that wait for one revision share a progress request for their resource', async () => {
  const ranges: KeyRange[] = [];
  const ask = far.requestProgress.bind(far);
  far.requestProgress = (range) => {
    ranges.push(range);
    ask(range);
  };
  await near.update('/registry/others/a', () => ({ kind: 'put', value: new Uint8Array() }));
  await Promise.all(Array.from({ length: 20 }, () => cacher.get(`${directory}a`)));

  expect(ranges).toEqual([prefixRange(directory)]);
});

test('a request for progress that got lost is sent again', async () => {
  const ask = far.requestProgress.bind(far);
  let asked = 0;
  far.requestProgress = (range) => void (++asked > 2 && ask(range));
  await near.update('/registry/others/a', () => ({ kind: 'put', value: new Uint8Array() }));
  const read = cacher.get(`${directory}a`);
  await clock.advance(500);

  expect(await read).toBeUndefined();
  expect(asked).toBe(3);
});

test('a bookmark says how far the store is, though nothing of its kind happened', async () => {
  const watcher = await cacher.watch({ bookmarks: true });
  await near.update('/registry/others/a', () => ({ kind: 'put', value: new Uint8Array() }));
  await clock.advance(60_000);

  expect(await seen(watcher)).toEqual(['BOOKMARK 2']);
});

test("a read of this server's own writes does not ask the store", async () => {
  far.revision = () => Promise.reject(new Error('asked'));
  const value = new TextEncoder().encode('{"name":"a"}');
  await cacher.update(`${directory}a`, () => ({ kind: 'put', value }));

  expect(await cacher.get(`${directory}a`, cacher.writtenRevision)).toMatchObject({ revision: 2 });
});

test('a read of any version does not ask the store', () => {
  expect(cacher.get(`${directory}a`, 'any')).toBeUndefined();
});

test('a broken connection is resumed without a gap and without ending watchers', async () => {
  const watcher = await cacher.watch();
  await write(near, 'a', {});
  expect(await seen(watcher)).toEqual(['ADDED a']);
  far.cut(new StorageError('unavailable', 'cut'));
  await seen(watcher);
  await write(near, 'b', {});
  await clock.advance(200);

  expect(await seen(watcher)).toEqual(['ADDED b']);
  expect(watcher.ended).toBeUndefined();
  expect(far.lists).toBe(1);
});

test('a store that has forgotten too much is listed anew, and watchers are ended', async () => {
  const watcher = await cacher.watch();
  await write(near, 'a', {});
  await seen(watcher);
  far.cut(new StorageError('compacted', 'gone', { revision: 2 }));
  await write(near, 'b', {});
  await clock.advance(200);

  expect(watcher.ended).toBe('gap');
  expect(far.lists).toBe(2);
  expect(keysOf((await cacher.list()).objects)).toEqual(['a', 'b']);
  await expect(cacher.watch({ since: 1 })).rejects.toMatchObject({ kind: 'compacted' });
  expect((await cacher.watch({ since: 3 })).ended).toBeUndefined();
});

test('a revision that does not come is given up after three seconds', async () => {
  const read = Promise.resolve(cacher.get(`${directory}a`, 50));
  const outcome = expect(read).rejects.toMatchObject({ kind: 'future-revision' });
  await clock.advance(3_100);
  await outcome;
});

test('closing the cache ends its watch of the store', async () => {
  const watcher = await cacher.watch();
  cacher.close();
  expect(watcher.ended).toBe('closed');
  await expect(cacher.ready()).rejects.toMatchObject({ kind: 'closed' });
});

test('a cache that could not be filled is filled by a later read', async () => {
  let failures = 1;
  const storage = new MemoryStorage();
  const { list } = storage;
  storage.list = async (range, options) => {
    if (failures-- > 0) throw new StorageError('unavailable', 'not now');
    return await list.call(storage, range, options);
  };
  const other = new Cacher({ storage, prefix: directory, codec: thingCodec(), clock });
  await expect(other.ready()).rejects.toMatchObject({ kind: 'unavailable' });
  expect((await other.list()).objects).toEqual([]);
});

test('while the store cannot be reached reads fail, and when it can they are answered', async () => {
  let isReachable = false;
  const { list } = far;
  far.list = async (range, options) => {
    if (!isReachable) throw new StorageError('unavailable', 'no route');
    return await list(range, options);
  };
  const other = new Cacher({ storage: far, prefix: directory, codec: thingCodec(), clock });
  await expect(other.ready()).rejects.toMatchObject({ kind: 'unavailable' });
  isReachable = true;
  const read = other.list();
  await clock.advance(1_000);
  expect((await read).objects).toEqual([]);
});

test('a read that is under way when the cache is lost waits until it is filled again', async () => {
  await write(near, 'a', {});
  const read = cacher.get(`${directory}a`, 3);
  far.cut(new StorageError('compacted', 'gone', { revision: 2 }));
  await write(near, 'b', {});
  await clock.advance(200);
  expect(await read).toMatchObject({ revision: 2 });
});

test('a store that was put back to an earlier state is listed anew, and watches end', async () => {
  await write(far, 'a', {});
  await write(far, 'b', {});
  expect(keysOf((await cacher.list()).objects)).toHaveLength(2);
  const watcher = await cacher.watch();
  const backup = new MemoryStorage();
  await write(backup, 'c', {});

  far.restore(backup);

  expect(keysOf((await cacher.list()).objects)).toEqual(['c']);
  expect(watcher.ended).toBe('gap');
});

test('revisions that the store has compacted are not listed, even if the cache has them', async () => {
  await write(near, 'a', {});
  await write(near, 'b', {});
  const { revision } = await cacher.list();
  await write(near, 'c', {});
  await cacher.list();
  expect((await cacher.list({ revision })).objects).toHaveLength(2);
  far.compactedRevision = revision + 1;
  await expect(Promise.try(() => cacher.list({ revision }))).rejects.toMatchObject({ kind: 'compacted' });
});

test('the newest revision is listed even if the store is compacted up to it and events are late', async () => {
  await write(near, 'a', {});
  const { revision } = await cacher.list();
  far.compactedRevision = revision + 1;
  expect(keysOf((await cacher.list()).objects)).toEqual(['a']);
});
