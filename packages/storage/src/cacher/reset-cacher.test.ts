import { expect, test } from 'vitest';
import { MemoryStorage } from '../engine/memory/memory-storage.ts';
import { Cacher } from './cacher.ts';
import { directory, erase, labelled, seen, thingCodec, write } from './thing.fixture.ts';

async function filledCacher() {
  const storage = new MemoryStorage();
  await write(storage, 'a/1', {});
  const cacher = new Cacher({ storage, prefix: directory, codec: thingCodec() });
  await cacher.ready();
  return { storage, cacher };
}

const namesIn = async (cacher: Awaited<ReturnType<typeof filledCacher>>['cacher']) =>
  (await cacher.list()).objects.map(({ key }) => key.slice(directory.length));

test("after a reset the cache has the snapshot's state in the same turn, and continues to follow", async () => {
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

test('watches end with a reset after their pending events, and cannot continue from before it', async () => {
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

test("a watch that follows resets gets the changes of a reset and the store's revision", async () => {
  const { storage, cacher } = await filledCacher();
  const kept = await write(storage, 'a/2', {});
  await write(storage, 'a/3', {});
  const snapshot = storage.snapshot();
  const watcher = await cacher.watch({ bookmarks: true, followsResets: true });
  await write(storage, 'a/2', { node: 'n' });
  await erase(storage, 'a/1');
  await erase(storage, 'a/3');
  await write(storage, 'a/3', {});
  await write(storage, 'a/4', {});
  await seen(watcher);

  storage.reset(snapshot);

  const ready = await watcher.next();
  const objects = ready!.flatMap((event) => (event.type === 'BOOKMARK' ? [] : [event]));
  expect(objects.map(({ type, object }) => `${type} ${object.key.slice(directory.length)}`)).toEqual([
    'ADDED a/1',
    'MODIFIED a/2',
    'DELETED a/3',
    'ADDED a/3',
    'DELETED a/4',
  ]);
  expect(objects[1]!.revision).toBe(kept!.modRevision);
  expect(ready!.at(-1)!.revision).toBe(storage.currentRevision);
  await write(storage, 'a/5', {});
  expect(await seen(watcher)).toEqual(['ADDED a/5']);
});

test('a reset is sent as each selection sees it, and updates the indexes', async () => {
  const { storage, cacher } = await filledCacher();
  const ofNode = { field: 'node', value: 'n' };
  const match = labelled('app', 'web');
  await write(storage, 'a/2', { node: 'n', labels: { app: 'web' } });
  const snapshot = storage.snapshot();
  const byNode = await cacher.watch({
    field: ofNode,
    match: ({ fields }) => fields.node === 'n',
    bookmarks: true,
    followsResets: true,
  });
  const byLabel = await cacher.watch({ match, bookmarks: true, followsResets: true });
  await cacher.list({ field: ofNode });
  await write(storage, 'a/2', { node: 'm', labels: { app: 'db' } });
  await write(storage, 'a/1', { labels: { app: 'web' } });
  await Promise.all([seen(byNode), seen(byLabel)]);

  storage.reset(snapshot);

  const mark = `BOOKMARK ${storage.currentRevision}`;
  expect(await seen(byNode)).toEqual(['ADDED a/2', mark]);
  expect(await seen(byLabel)).toEqual(['DELETED a/1', 'ADDED a/2', mark]);
  expect((await cacher.list({ field: ofNode })).objects.map(({ key }) => key)).toEqual([`${directory}a/2`]);
});
