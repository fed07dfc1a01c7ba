import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { ManualClock } from '@coxswain/apimachinery';
import { beforeEach, describe, expect, test } from 'vitest';
import { MemoryStorage } from '../engine/memory/memory-storage.ts';
import { CachedObject } from './cached-object.ts';
import { Cacher } from './cacher.ts';
import {
  directory,
  erase,
  keysOf,
  labelled,
  seen,
  thingCodec,
  write,
  type CountingCodec,
  type Thing,
} from './thing.fixture.ts';

const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

let clock: ManualClock;
let storage: MemoryStorage;
let codec: CountingCodec;
let cacher: Cacher<Thing>;

beforeEach(async () => {
  clock = new ManualClock();
  storage = new MemoryStorage({ clock });
  codec = thingCodec();
  cacher = new Cacher({ storage, prefix: directory, codec, clock });
});

test('writes and deletes while a large cache is filled are in it, and watches send each once', async () => {
  await Promise.all(
    Array.from({ length: 5_000 }, (_, i) => write(storage, `many/${String(i).padStart(4, '0')}`, {})),
  );
  const filled = cacher.ready();
  // Between the first page and the last, before and after the keys read so far.
  await new Promise<void>((resolve) => void setImmediate(resolve));
  await erase(storage, 'many/0001');
  await erase(storage, 'many/4999');
  await write(storage, 'many/0002', { node: 'n1' });
  await write(storage, 'many/9999', {});
  await filled;

  const { objects, revision } = await cacher.list({});
  const { entries } = await storage.list({ start: directory, end: `${directory}\uffff` });
  expect(revision).toBe(storage.currentRevision);
  expect(objects.map(({ key, revision: at }) => [key, at])).toEqual(
    entries.map(({ key, modRevision }) => [key, modRevision]),
  );
});

describe('get', () => {
  test('answers at once, and sees every acknowledged write', async () => {
    await cacher.ready();
    await write(storage, 'a/1', {});
    const object = cacher.get(`${directory}a/1`);

    expect(object).toBeInstanceOf(CachedObject);
    expect(text((object as CachedObject<Thing>).served)).toBe('{"resourceVersion":"2","name":"a/1"}');
    await erase(storage, 'a/1');
    expect(cacher.get(`${directory}a/1`)).toBeUndefined();
  });

  test('fills the cache when it is the first read', async () => {
    await write(storage, 'a/1', {});
    expect(text((await cacher.get(`${directory}a/1`))!.served)).toContain('a/1');
  });

  test('of a revision that does not come is given up after three seconds', async () => {
    await cacher.ready();
    const read = Promise.resolve(cacher.get(`${directory}a`, 100));
    const outcome = expect(read).rejects.toMatchObject({ kind: 'future-revision', revision: 1 });
    await clock.advance(3_100);
    await outcome;
  });

  test('of a revision that does come waits for it', async () => {
    await cacher.ready();
    const read = cacher.get(`${directory}a`, 2);
    await write(storage, 'a', {});
    await clock.advance(100);
    expect((await read)!.revision).toBe(2);
  });
});

describe('list', () => {
  beforeEach(async () => {
    for (let i = 0; i < 10; i++)
      await write(storage, `ns${i % 2}/${i}`, { labels: { odd: String(i % 2) }, node: `n${i % 3}` });
  });

  test('gives out bytes without decoding anything', async () => {
    const { objects, revision } = await cacher.list();

    expect(objects.map(({ served }) => JSON.parse(text(served)).name)).toEqual(keysOf(objects));
    expect(revision).toBe(11);
    expect(codec.decodings).toBe(0);
  });

  test('keeps to a namespace', async () => {
    const { objects } = await cacher.list({ scope: `${directory}ns1/` });
    expect(keysOf(objects)).toEqual(['ns1/1', 'ns1/3', 'ns1/5', 'ns1/7', 'ns1/9']);
  });

  test('by label decodes each object once, however often it is repeated', async () => {
    for (let i = 0; i < 3; i++) {
      expect(keysOf((await cacher.list({ match: labelled('odd', '1') })).objects).length).toBe(5);
    }
    expect(codec.decodings).toBe(10);
  });

  test('by field goes through the index, which follows the objects', async () => {
    const onNode = (value: string) =>
      cacher.list({ field: { field: 'node', value }, match: (object) => object.fields['node'] === value });
    expect(keysOf((await onNode('n2')).objects)).toEqual(['ns0/2', 'ns0/8', 'ns1/5']);
    await write(storage, 'ns0/2', { node: 'n0' });
    await erase(storage, 'ns1/5');
    await write(storage, 'ns1/4', { node: 'n2' });

    expect(keysOf((await onNode('n2')).objects)).toEqual(['ns0/8', 'ns1/4']);
    expect(keysOf((await onNode('n0')).objects)).toContain('ns0/2');
  });

  test('by an indexed label finds what a scan finds, and follows the objects', async () => {
    const odd = (value: string) => ({ label: { label: 'odd', value }, match: labelled('odd', value) });
    const both = async (value: string) => {
      const { label, match } = odd(value);
      const [indexed, scanned] = [await cacher.list({ label, match }), await cacher.list({ match })];
      expect(keysOf(indexed.objects)).toEqual(keysOf(scanned.objects));
      return keysOf(indexed.objects);
    };
    expect((await both('1')).length).toBe(5);
    await write(storage, 'ns0/0', { labels: { odd: '1' } });
    await write(storage, 'ns0/2', {});
    expect(await both('1')).toContain('ns0/0');
    expect(await both('0')).toEqual(['ns0/4', 'ns0/6', 'ns0/8']);
  });

  test('all pages come from the revision of the first', async () => {
    const first = await cacher.list({ limit: 4 });
    await write(storage, 'ns0/99', {});
    await erase(storage, 'ns1/9');
    const second = await cacher.list({ limit: 4, after: first.next!, revision: first.revision });
    const third = await cacher.list({ limit: 4, after: second.next!, revision: first.revision });

    expect([first.remaining, second.remaining, third.remaining]).toEqual([6, 2, 0]);
    expect(third.next).toBeUndefined();
    const all = [first, second, third].flatMap(({ objects }) => keysOf(objects));
    expect(all).toEqual([
      'ns0/0',
      'ns0/2',
      'ns0/4',
      'ns0/6',
      'ns0/8',
      'ns1/1',
      'ns1/3',
      'ns1/5',
      'ns1/7',
      'ns1/9',
    ]);
  });

  test('a revision that the cache never pinned is read from the store', async () => {
    await cacher.ready();
    await erase(storage, 'ns1/9');
    const past = await cacher.list({
      revision: 11,
      limit: 3,
      after: `${directory}ns1/1`,
      match: labelled('odd', '1'),
    });

    expect(keysOf(past.objects)).toEqual(['ns1/3', 'ns1/5', 'ns1/7']);
    expect(past.next).toBe(`${directory}ns1/7`);
    const rest = await cacher.list({ revision: 11, after: past.next! });
    expect(keysOf(rest.objects)).toEqual(['ns1/9']);
  });

  test('a page of a compacted revision is refused', async () => {
    await cacher.ready();
    await erase(storage, 'ns1/9');
    await storage.compact(12);
    await expect(async () => await cacher.list({ revision: 5 })).rejects.toMatchObject({ kind: 'compacted' });
  });

  test('pages end with a compaction', async () => {
    const first = await cacher.list({ limit: 4 });
    await erase(storage, 'ns1/9');
    const next = async () => cacher.list({ after: first.next!, revision: first.revision });
    expect((await next()).objects.length).toBe(6);

    await storage.compact(12);
    await expect(next).rejects.toMatchObject({ kind: 'compacted' });
  });
});

describe('update', () => {
  test('hands the cached object to the change, and the decoded one to the cache', async () => {
    await cacher.ready();
    const put = (thing: Thing) =>
      ({ kind: 'put', value: new TextEncoder().encode(JSON.stringify(thing)), decoded: thing }) as const;
    const first = await cacher.update(`${directory}a`, () => put({ node: 'n1' }));
    let current: CachedObject<Thing> | undefined;
    await cacher.update(`${directory}a`, (object) => {
      current = object;
      return put({ node: 'n2' });
    });

    expect(current).toBe(first);
    expect(current!.object).toEqual({ node: 'n1', resourceVersion: '2' });
    expect((cacher.get(`${directory}a`) as CachedObject<Thing>).object).toEqual({
      node: 'n2',
      resourceVersion: '3',
    });
  });

  test('answers a delete with the last state at the revision of the delete', async () => {
    await cacher.ready();
    await write(storage, 'a', { node: 'n1' });
    const deleted = await cacher.update(`${directory}a`, () => ({ kind: 'delete' }));
    expect(text(deleted!.served)).toBe('{"resourceVersion":"3","name":"a","node":"n1"}');
  });
});

describe('forms', () => {
  test('are made once, and again after they had to make room', async () => {
    const small = new Cacher({
      storage,
      prefix: directory,
      codec,
      clock,
      bounds: { decodedMax: 2, formBytesMax: 1000 },
    });
    for (let i = 0; i < 4; i++) await write(storage, `a${i}`, {});
    const { objects } = await small.list();
    let made = 0;
    const form = (object: CachedObject<Thing>) =>
      object.form('protobuf', () => {
        made++;
        return new Uint8Array(400);
      });
    expect(form(objects[0]!)).toBe(form(objects[0]!));
    expect(made).toBe(1);
    for (const object of objects) form(object);
    expect(made).toBe(4);
    form(objects[3]!);
    form(objects[0]!);
    expect(made).toBe(5);
  });

  test('evicted decoded objects that others still hold are reused; labels stay cached', async () => {
    const small = new Cacher({
      storage,
      prefix: directory,
      codec,
      clock,
      bounds: { decodedMax: 2, formBytesMax: 1000 },
    });
    for (let i = 0; i < 5; i++) await write(storage, `a${i}`, { labels: { i: String(i) } });
    const { objects } = await small.list();
    expect(objects.map(({ labels }) => labels['i'])).toEqual(['0', '1', '2', '3', '4']);
    expect(codec.decodings).toBe(5);
    const held = objects[0]!.object;
    await collectGarbage();
    expect(objects[0]!.object).toBe(held);
    expect(objects.map(({ labels }) => labels['i'])).toEqual(['0', '1', '2', '3', '4']);
    expect(codec.decodings).toBe(5);
    void objects[1]!.object;
    expect(codec.decodings).toBe(6);
  });
});

/** Frees objects that are only weakly referenced. */
async function collectGarbage(): Promise<void> {
  await new Promise(setImmediate);
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}

describe('watch', () => {
  test('shows creations, changes and deletions, with their revisions', async () => {
    const watcher = await cacher.watch();
    await write(storage, 'a', {});
    await write(storage, 'a', { node: 'n' });
    await erase(storage, 'a');
    const events = (await watcher.next())!;

    expect(events.map((event) => text((event as { frame: Uint8Array }).frame))).toEqual([
      '{"type":"ADDED","object":{"resourceVersion":"2","name":"a"}}\n',
      '{"type":"MODIFIED","object":{"resourceVersion":"3","name":"a","node":"n"}}\n',
      '{"type":"DELETED","object":{"resourceVersion":"4","name":"a","node":"n"}}\n',
    ]);
  });

  test('an object that leaves the selection is deleted for the watcher, in its last state there', async () => {
    const watcher = await cacher.watch({ match: labelled('app', 'x') });
    await write(storage, 'a', { labels: { app: 'y' } });
    await write(storage, 'a', { labels: { app: 'x' } });
    await write(storage, 'a', { labels: { app: 'x' }, node: 'n' });
    await write(storage, 'a', { labels: { app: 'y' } });
    await erase(storage, 'a');
    const events = (await watcher.next())!;

    expect(events.map(({ type, revision }) => `${type} ${revision}`)).toEqual([
      'ADDED 3',
      'MODIFIED 4',
      'DELETED 5',
    ]);
    expect(text((events[2] as { frame: Uint8Array }).frame)).toContain(
      '"resourceVersion":"5","name":"a","labels":{"app":"x"},"node":"n"',
    );
  });

  test('keeps to its scope: a namespace, one object, a field', async () => {
    const [all, namespace, one, field] = await Promise.all([
      cacher.watch(),
      cacher.watch({ scope: `${directory}a/` }),
      cacher.watch({ scope: `${directory}a/1` }),
      cacher.watch({
        field: { field: 'node', value: 'n1' },
        match: (object) => object.fields['node'] === 'n1',
      }),
    ]);
    await write(storage, 'a/1', { node: 'n1' });
    await write(storage, 'a/2', {});
    await write(storage, 'a/10', {});
    await write(storage, 'b/1', { node: 'n1' });
    await write(storage, 'a/1', { node: 'n2' });

    expect(await seen(all)).toEqual(['ADDED a/1', 'ADDED a/2', 'ADDED a/10', 'ADDED b/1', 'MODIFIED a/1']);
    expect(await seen(namespace)).toEqual(['ADDED a/1', 'ADDED a/2', 'ADDED a/10', 'MODIFIED a/1']);
    expect(await seen(one)).toEqual(['ADDED a/1', 'MODIFIED a/1']);
    expect(await seen(field)).toEqual(['ADDED a/1', 'ADDED b/1', 'DELETED a/1']);
  });

  test('all watchers share the frame of an event', async () => {
    const watchers = await Promise.all([
      cacher.watch(),
      cacher.watch(),
      cacher.watch({ scope: `${directory}a/` }),
    ]);
    await write(storage, 'a/1', {});
    const frames = new Set<Uint8Array>();
    for (const watcher of watchers)
      for (const event of (await watcher.next())!) frames.add((event as { frame: Uint8Array }).frame);
    expect(frames.size).toBe(1);
  });

  test('events of one turn are delivered together', async () => {
    const watcher = await cacher.watch();
    const batches: number[] = [];
    const reading = (async () => {
      for await (const batch of watcher) batches.push(batch.length);
    })();
    await Promise.all(Array.from({ length: 50 }, (_, i) => write(storage, String(i), {})));
    await seen(watcher);
    watcher.stop();
    await reading;
    expect(batches).toEqual([50]);
  });

  test('starts after the requested revision, even if that is older than the cache', async () => {
    await write(storage, 'a', {});
    await write(storage, 'b', { labels: { app: 'x' } });
    await write(storage, 'other', {});
    await cacher.ready();
    await write(storage, 'b', {});
    const [old, recent] = [
      await cacher.watch({ since: 2, match: labelled('app', 'x') }),
      await cacher.watch({ since: 4 }),
    ];

    expect(await seen(old)).toEqual(['ADDED b', 'DELETED b']);
    expect(await seen(recent)).toEqual(['MODIFIED b']);
  });

  test('after a compacted revision is refused', async () => {
    await write(storage, 'a', {});
    await write(storage, 'a', {});
    await storage.compact(3);
    await expect(cacher.watch({ since: 1 })).rejects.toMatchObject({ kind: 'compacted' });
  });

  test('can begin with the state, marked by a bookmark at its end', async () => {
    await write(storage, 'a', { labels: { app: 'x' } });
    await write(storage, 'b', {});
    await write(storage, 'c', { labels: { app: 'x' } });
    const options = { match: labelled('app', 'x') };
    const marked = await cacher.watch({ ...options, initialEvents: 'marked', bookmarks: true });
    const plain = await cacher.watch({ ...options, initialEvents: 'plain' });
    await write(storage, 'd', { labels: { app: 'x' } });

    expect(await seen(marked)).toEqual(['ADDED a', 'ADDED c', 'BOOKMARK 4 initial', 'ADDED d']);
    expect(await seen(plain)).toEqual(['ADDED a', 'ADDED c', 'ADDED d']);
  });

  test('gets a bookmark every minute when it wants any, though nothing of its kind happened', async () => {
    const watcher = await cacher.watch({ bookmarks: true });
    const without = await cacher.watch();
    await storage.update('/registry/others/a', () => ({ kind: 'put', value: new Uint8Array() }));
    await clock.advance(60_000);

    expect(await seen(watcher)).toEqual(['BOOKMARK 2']);
    expect(await seen(without)).toEqual([]);
    await clock.advance(60_000);
    expect(await seen(watcher)).toEqual(['BOOKMARK 2']);
    const begun = await cacher.watch({ bookmarks: true });
    await clock.advance(120_000);
    expect(await seen(begun)).toEqual([]);
  });

  test('of a slow reader ends after its pending events', async () => {
    const slow = await cacher.watch({ waitingMax: 5 });
    const other = await cacher.watch();
    for (let i = 0; i < 10; i++) await write(storage, String(i), {});

    expect(slow.ended).toBe('slow');
    expect((await slow.next())!.length).toBe(5);
    expect(await slow.next()).toBeUndefined();
    expect((await other.next())!.length).toBe(10);
  });

  test('ends when the store was reset, and the next reads see the new state', async () => {
    await write(storage, 'a', {});
    const snapshot = storage.snapshot();
    const watcher = await cacher.watch();
    await write(storage, 'b', {});
    storage.reset(snapshot);

    expect(watcher.ended).toBe('reset');
    const { objects, revision } = await cacher.list();
    expect(keysOf(objects)).toEqual(['a']);
    expect(revision).toBe(await storage.revision());
    expect((await cacher.watch({ since: revision })).ended).toBeUndefined();
  });

  test('and every read end with the store', async () => {
    const watcher = await cacher.watch();
    await storage.close();
    expect(watcher.ended).toBe('closed');
    await expect(Promise.resolve(cacher.get(`${directory}a`))).rejects.toMatchObject({ kind: 'closed' });
    await expect(cacher.watch()).rejects.toMatchObject({ kind: 'closed' });
  });

  test('that was stopped is left alone', async () => {
    const watcher = await cacher.watch();
    await write(storage, 'a', {});
    watcher.stop();
    await write(storage, 'b', {});
    expect(watcher.take()).toEqual([]);
    expect(await watcher.next()).toBeUndefined();
  });
});
