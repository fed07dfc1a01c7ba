import { expect, test } from 'vitest';
import { MemoryStorage } from '../engine/memory/memory-storage.ts';
import { Cacher } from './cacher.ts';
import { directory, erase, thingCodec, write } from './thing.fixture.ts';

async function filledCacher() {
  const storage = new MemoryStorage();
  await write(storage, 'a/1', {});
  const cacher = new Cacher({ storage, prefix: directory, codec: thingCodec() });
  await cacher.ready();
  return { storage, cacher };
}

const namesIn = async (cacher: Awaited<ReturnType<typeof filledCacher>>['cacher']) =>
  (await cacher.list()).objects.map(({ key }) => key.slice(directory.length));

test('after a reset the cache has what the snapshot had, in the same turn, and follows on', async () => {
  const { storage, cacher } = await filledCacher();
  const snapshot = storage.snapshot();
  await write(storage, 'a/2', {});
  await erase(storage, 'a/1');

  storage.reset(snapshot);
  const list = cacher.list();
  await write(storage, 'a/3', {});

  expect(list).not.toBeInstanceOf(Promise);
  expect((await list).objects.map(({ key }) => key.slice(directory.length))).toEqual(['a/1']);
  expect(await namesIn(cacher)).toEqual(['a/1', 'a/3']);
});

test('one snapshot serves any number of resets', async () => {
  const { storage, cacher } = await filledCacher();
  const snapshot = storage.snapshot();
  for (let round = 0; round < 3; round++) {
    await write(storage, `b/${round}`, {});
    storage.reset(snapshot);
    expect(await namesIn(cacher)).toEqual(['a/1']);
  }
});

test('a cache that was not filled when the snapshot was taken is filled anew', async () => {
  const storage = new MemoryStorage();
  await write(storage, 'a/1', {});
  const snapshot = storage.snapshot();
  await write(storage, 'a/2', {});
  const cacher = new Cacher({ storage, prefix: directory, codec: thingCodec() });
  await cacher.ready();

  storage.reset(snapshot);

  expect(await namesIn(cacher)).toEqual(['a/1']);
});

test('watches end with a reset, after what they had to tell, and cannot go on from before it', async () => {
  const { storage, cacher } = await filledCacher();
  const snapshot = storage.snapshot();
  const watcher = await cacher.watch();
  const seen = await write(storage, 'a/2', {});
  storage.reset(snapshot);

  expect((await watcher.next())?.map(({ type }) => type)).toEqual(['ADDED']);
  expect([await watcher.next(), watcher.ended]).toEqual([undefined, 'reset']);
  await expect(cacher.watch({ since: seen!.modRevision })).rejects.toMatchObject({ kind: 'compacted' });
});

test('no version is given out twice', async () => {
  const { storage } = await filledCacher();
  const snapshot = storage.snapshot();
  const before = await write(storage, 'a/2', {});
  storage.reset(snapshot);
  const after = await write(storage, 'a/2', {});

  expect(after!.modRevision).toBeGreaterThan(before!.modRevision + 1);
});
