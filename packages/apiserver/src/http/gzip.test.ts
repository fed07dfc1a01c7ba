import { gunzipSync } from 'node:zlib';
import { systemClock } from '@coxswain/apimachinery';
import { expect, test } from 'vitest';
import { utf8 } from './api-response.ts';
import { chunksOf, type ListParts } from './compression.ts';
import { gzipCompression } from './gzip.ts';

const items = Array.from({ length: 400 }, (_, index) =>
  utf8(`{"name":"thing-${index}","text":"${'abc '.repeat(300)}"}`),
);

const by = { clock: systemClock, owner: 'alice' };

const partsOf = (some: readonly Uint8Array[]): ListParts => ({
  head: utf8('['),
  items: some,
  skipped: 0,
  separator: utf8(','),
  firstSeparator: utf8(''),
  tail: utf8(']'),
});

const plain = (parts: ListParts): string => Buffer.concat(chunksOf(parts)).toString();

test('selections and the whole collection are cached separately', async () => {
  const gzip = gzipCompression();
  const lists: readonly (readonly [selection: string, parts: ListParts])[] = [
    ['', partsOf(items)],
    ['even', partsOf(items.filter((_, index) => index % 2 === 0))],
    ['third', partsOf(items.filter((_, index) => index % 3 === 0))],
  ];
  const first = await Promise.all(lists.map(([selection, parts]) => gzip.list(parts, selection, by)));
  const again = await Promise.all(lists.map(([selection, parts]) => gzip.list(parts, selection, by)));

  for (const [index, [, parts]] of lists.entries()) {
    expect(gunzipSync(Buffer.concat(first[index]!)).toString()).toBe(plain(parts));
    // The same arrays prove that nothing was compressed a second time.
    const large = (chunks: readonly Uint8Array[]) => chunks.filter(({ length }) => length > 100);
    expect(large(again[index]!).every((chunk, at) => chunk === large(first[index]!)[at])).toBe(true);
    expect(large(first[index]!).length).toBeGreaterThan(0);
  }
});
