/** A damaged value is reported when it is read; all others are served. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Cacher } from '../../cacher/cacher.ts';
import { directory as things, labelled, thingCodec, write } from '../../cacher/thing.fixture.ts';
import { alterRows } from './altered-store.fixture.ts';
import { LmdbStorage } from './lmdb-storage.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'coxswain-damaged-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

test('a damaged value is reported at startup and by reads, and can be deleted', async () => {
  const before = new LmdbStorage({ directory });
  for (const name of ['a', 'b', 'c']) await write(before, name, { labels: { is: name } });
  await before.close();
  await alterRows(directory, 'head', (key, value) => {
    const bytes = Buffer.from(value);
    if (key.toString().endsWith('/b')) bytes[bytes.length - 3]! ^= 4;
    return bytes;
  });
  const lines: string[] = [];
  const storage = new LmdbStorage({ directory, log: (line) => void lines.push(line) });
  expect(lines).toEqual([expect.stringContaining('the entry /registry/things/b is damaged')]);
  await expect(Array.fromAsync(storage.engine.snapshot())).rejects.toThrow('/registry/things/b is damaged');

  const cacher = new Cacher({ storage, prefix: things, codec: thingCodec() });
  const { objects } = await cacher.list();
  const problem = /corrupt object, Code: 7, Key: \/registry\/things\/b, .* object not decodable revision=3/;
  expect(objects.map(({ damage }) => damage?.message)).toEqual([
    undefined,
    expect.stringMatching(problem),
    undefined,
  ]);
  expect(() => objects[1]!.served).toThrow(problem);
  expect(() => objects[1]!.object).toThrow(problem);
  expect(Buffer.from(objects[2]!.served).toString()).toContain('"is":"c"');

  const watch = await cacher.watch({ match: labelled('is', 'c') });
  await storage.update(`${things}b`, () => ({ kind: 'delete' }));
  await write(storage, 'd', { labels: { is: 'c' } });
  expect(watch.ended).toBe('gap');
  expect((await cacher.list()).objects.map(({ damage }) => damage)).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  cacher.close();
  await storage.close();
});
