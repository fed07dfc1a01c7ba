import { gunzipSync } from 'node:zlib';
import { systemClock } from '@coxswain/apimachinery';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { utf8 } from './api-response.ts';
import { chunksOf, type ListParts } from './compression.ts';
import { CompressionTurns } from './compression-turns.ts';
import { GzipBlocks } from './gzip-blocks.ts';

const by = { clock: systemClock, owner: 'alice' };

const partsOf = (items: readonly Uint8Array[], skipped = 0): ListParts => ({
  head: utf8('{"items":['),
  items,
  skipped,
  separator: utf8(',{'),
  firstSeparator: utf8('{'),
  tail: utf8(']}\n'),
});

const plain = (parts: ListParts): string => Buffer.concat(chunksOf(parts)).toString();
const unzipped = async (blocks: GzipBlocks, parts: ListParts): Promise<string> =>
  gunzipSync(Buffer.concat(await blocks.compress(parts, by))).toString();

const itemOf = (index: number, revision: number): Uint8Array =>
  utf8(`{"kind":"Thing","name":"thing-${index}","version":"${revision}","text":"${'abc '.repeat(300)}"}`);

test('a list decompresses to its uncompressed form, however it has changed since the last request', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ at: fc.nat(299), kind: fc.constantFrom('change', 'remove', 'insert') }), {
        maxLength: 12,
      }),
      async (changes) => {
        const blocks = new GzipBlocks(new CompressionTurns());
        const items = Array.from({ length: 300 }, (_, index) => itemOf(index, 1));
        expect(await unzipped(blocks, partsOf(items, 15))).toBe(plain(partsOf(items, 15)));
        for (const [revision, { at, kind }] of changes.entries()) {
          items.splice(at, kind === 'insert' ? 0 : 1, ...(kind === 'remove' ? [] : [itemOf(at, revision)]));
          expect(await unzipped(blocks, partsOf(items, 15))).toBe(plain(partsOf(items, 15)));
        }
      },
    ),
    { numRuns: 10 },
  );
});

test('an empty list and a list with a single item decompress', async () => {
  const blocks = new GzipBlocks(new CompressionTurns());
  for (const items of [[], [itemOf(1, 1)]]) {
    expect(await unzipped(blocks, partsOf(items))).toBe(plain(partsOf(items)));
  }
});

test('unchanged neighbors keep their compressed bytes', async () => {
  const blocks = new GzipBlocks(new CompressionTurns());
  const items = Array.from({ length: 300 }, (_, index) => itemOf(index, 1));
  const before = new Set(await blocks.compress(partsOf(items), by));
  items[150] = itemOf(150, 2);
  const after = await blocks.compress(partsOf(items), by);
  const large = after.filter((chunk) => chunk.length > 100);
  expect(large.length).toBeGreaterThan(4);
  expect(large.filter((chunk) => !before.has(chunk))).toHaveLength(1);
});

test('concurrent requests for a list share the work', async () => {
  const blocks = new GzipBlocks(new CompressionTurns());
  const items = Array.from({ length: 100 }, (_, index) => itemOf(index, 1));
  const [one, other] = await Promise.all([
    blocks.compress(partsOf(items), by),
    blocks.compress(partsOf(items), by),
  ]);
  const isLarge = (chunk: Uint8Array): boolean => chunk.length > 100;
  expect(one.filter(isLarge).every((chunk) => other.includes(chunk))).toBe(true);
});
