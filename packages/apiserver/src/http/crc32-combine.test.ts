import { crc32 } from 'node:zlib';
import { test } from 'vitest';
import fc from 'fast-check';
import { combineCrc32, shiftOf } from './crc32-combine.ts';

test('the checksum of two pieces together comes from the checksums of each', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), fc.uint8Array({ maxLength: 300 }), (first, second) => {
      const whole = crc32(Buffer.concat([first, second]));
      return combineCrc32(crc32(first), crc32(second), shiftOf(second.length)) === whole;
    }),
  );
});

test('the same holds for pieces of several megabytes', ({ expect }) => {
  const [first, second] = [Buffer.alloc(3_000_001, 'a'), Buffer.alloc(5_000_003, 'b')];
  expect(combineCrc32(crc32(first), crc32(second), shiftOf(second.length))).toBe(
    crc32(Buffer.concat([first, second])),
  );
});
