/** Selecting among very many objects that were never decoded blocks nobody: each turn decodes only a few. */
import { ManualClock } from '@coxswain/apimachinery';
import { afterEach, expect, test } from 'vitest';
import { MemoryStorage } from '../index.ts';
import { Cacher } from './cacher.ts';
import { directory, keysOf, labelled, thingCodec, write, type Thing } from './thing.fixture.ts';

const count = 2_000;
const codec = thingCodec();

/** A clock that advances by a millisecond for each object read. */
class ReadingClock extends ManualClock {
  override monotonic(): number {
    return codec.decodings;
  }
}

const open: Cacher<Thing>[] = [];
afterEach(() => {
  for (const cacher of open.splice(0)) cacher.close();
});

/** A cache of objects that were written long ago; every tenth has the label `app: rare`. */
async function filledCache() {
  const clock = new ReadingClock();
  const storage = new MemoryStorage({ clock });
  for (let at = 0; at < count; at++) {
    const labels = { app: at % 10 === 0 ? 'rare' : 'often' };
    await write(storage, `thing-${String(at).padStart(5, '0')}`, { labels });
  }
  const cacher = new Cacher<Thing>({ storage, prefix: directory, codec, clock });
  open.push(cacher);
  await cacher.ready();
  codec.decodings = 0;
  return { cacher, storage };
}

/** The maximum number of objects read in one event-loop turn. */
async function mostInOneTurn<T>(
  work: Promise<T> | T,
): Promise<{ readonly most: number; readonly result: T }> {
  let most = codec.decodings;
  let before = codec.decodings;
  let isOver = false;
  const look = (): void => {
    most = Math.max(most, codec.decodings - before);
    before = codec.decodings;
    if (!isOver) setImmediate(look);
  };
  setImmediate(look);
  const result = await work;
  isOver = true;
  return { most: Math.max(most, codec.decodings - before), result };
}

/** A slice of 8 ms, and what may be read before the clock is checked. */
const readPerTurnMax = 8 + 16;
const rare = { label: { label: 'app', value: 'rare' }, match: labelled('app', 'rare') };
const rareKeys = Array.from({ length: count / 10 }, (_, at) => `thing-${String(at * 10).padStart(5, '0')}`);

test('a list by a selector without index', async () => {
  const { cacher } = await filledCache();
  const { most, result } = await mostInOneTurn(cacher.list({ match: rare.match }));

  expect(keysOf(result.objects)).toEqual(rareKeys);
  expect(most).toBeLessThanOrEqual(readPerTurnMax);
});

test('the first list by a label, which makes an index', async () => {
  const { cacher } = await filledCache();
  const { most, result } = await mostInOneTurn(cacher.list(rare));

  expect(keysOf(result.objects)).toEqual(rareKeys);
  expect(most).toBeLessThanOrEqual(readPerTurnMax);
});

test('an index includes changes made during its construction', async () => {
  const { cacher, storage } = await filledCache();
  const listed = cacher.list(rare);
  expect(listed).toBeInstanceOf(Promise);
  await write(storage, 'thing-00000', { labels: { app: 'often' } });
  await write(storage, 'thing-01999', { labels: { app: 'rare' } });
  await storage.update(`${directory}thing-00010`, () => ({ kind: 'delete' }));

  expect(keysOf((await listed).objects)).toEqual([...rareKeys.slice(2), 'thing-01999']);
});

test('pages of a list are of the state in which the first one was begun', async () => {
  const { cacher, storage } = await filledCache();
  const begun = cacher.list({ match: rare.match, limit: 150 });
  expect(begun).toBeInstanceOf(Promise);
  await write(storage, 'thing-01991', { labels: { app: 'rare' } });
  const first = await begun;
  const rest = await cacher.list({
    match: rare.match,
    limit: 150,
    after: first.next!,
    revision: first.revision,
  });

  expect([...keysOf(first.objects), ...keysOf(rest.objects)]).toEqual(rareKeys);
});

test.each([
  ['without index', { match: rare.match }],
  ['with an index', rare],
])('a watch that begins with what is there, %s', async (_name, selection) => {
  const { cacher } = await filledCache();
  const begun = async () => {
    const watcher = await cacher.watch({ ...selection, initialEvents: 'plain' });
    const keys: string[] = [];
    while (keys.length < rareKeys.length) {
      for (const event of (await watcher.next())!) if (event.type === 'ADDED') keys.push(event.object.key);
    }
    return keys;
  };
  const { most, result } = await mostInOneTurn(begun());

  expect(result.map((key) => key.slice(directory.length))).toEqual(rareKeys);
  expect(most).toBeLessThanOrEqual(readPerTurnMax + batch);
});

/** The batch size of a watch's initial events. */
const batch = 500;
