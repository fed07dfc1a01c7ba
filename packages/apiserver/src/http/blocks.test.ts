import fc from 'fast-check';
import { expect, test } from 'vitest';
import { blockBytes, blocksOf, blocksOfList, giveBack } from './blocks.ts';
import { bytesOfParts, chunksOf } from './compression.ts';

const bytes = fc.nat(9).chain((length) => fc.uint8Array({ minLength: length, maxLength: length }));
const lengths = fc.array(fc.oneof(fc.nat(50), fc.nat(40_000), fc.constant(blockBytes + 3)), {
  maxLength: 12,
});

/** A prime period, so that pieces at different offsets differ. */
const pattern = Uint8Array.from({ length: 2 * blockBytes }, (_, at) => (at * 7) % 251);
const filled = (length: number, seed: number) => pattern.slice(seed, seed + length);

/** The bytes that a client reads when blocks are reused as soon as they were read. */
function read(blocks: Iterable<Uint8Array>): Buffer {
  const copies: Buffer[] = [];
  for (const block of blocks) {
    copies.push(Buffer.from(block));
    giveBack(block);
  }
  return Buffer.concat(copies);
}

test('blocks of a list are its parts in sequence', () => {
  fc.assert(
    fc.property(
      bytes,
      bytes,
      bytes,
      bytes,
      fc.nat(40),
      lengths,
      (head, first, separator, tail, skipped, sizes) => {
        const items = sizes.map((size, index) => filled(size + skipped, index));
        const parts = { head, items, skipped, firstSeparator: first, separator, tail };

        const whole = read(blocksOfList(parts));

        expect(whole.equals(Buffer.concat(chunksOf(parts)))).toBe(true);
        const itemsBytes = items.reduce((sum, item) => sum + item.length, 0);
        expect(whole.length).toBe(bytesOfParts(parts, itemsBytes));
      },
    ),
    { numRuns: 100 },
  );
});

test('blocks of chunks are the chunks in sequence, and exceed a frame by at most one chunk', () => {
  fc.assert(
    fc.property(lengths, (sizes) => {
      const chunks = sizes.map((size, index) => filled(size, index));
      for (const block of blocksOf(chunks)) {
        expect(block.length <= blockBytes || chunks.some((chunk) => chunk === block)).toBe(true);
      }
      expect(read(blocksOf(chunks)).equals(Buffer.concat(chunks))).toBe(true);
    }),
    { numRuns: 50 },
  );
});

test('other buffers are never reused, and no block is in use twice', () => {
  const own = Buffer.alloc(blockBytes, 1);
  giveBack(own);
  const [block] = [...blocksOf([filled(blockBytes / 2, 1), filled(100, 2)])];
  giveBack(block!);
  giveBack(block!);
  const again = [1, 2].map((seed) => [...blocksOf([filled(blockBytes / 2, seed), filled(100, seed)])][0]!);

  expect(own.every((byte) => byte === 1)).toBe(true);
  expect(again[0]!.buffer).not.toBe(again[1]!.buffer);
  expect(again[0]![1]).toBe(pattern[2]);
});
