import fc from 'fast-check';
import { expect, test } from 'vitest';
import { HpackDecoder } from './decoder.ts';
import { HpackEncoder } from './encoder.ts';
import { decodeHuffman } from './huffman.ts';

const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex');
const roomy = 1024 * 1024;

const fieldsIn = (decoder: HpackDecoder, block: Buffer) =>
  decoder.decode(block)!.map(({ name, value }) => [name, value]);

function encoded(encoder: HpackEncoder, headers: Readonly<Record<string, string>>, status?: number): Buffer {
  const target = Buffer.alloc(encoder.bytesMost(headers));
  return target.subarray(0, encoder.encode(target, 0, status, headers));
}

test('headers are decoded as in the examples of RFC 7541, with a table that grows from block to block', () => {
  const decoder = new HpackDecoder(roomy);
  const blocks = [
    '8286 8441 8cf1 e3c2 e5f2 3a6b a0ab 90f4 ff',
    '8286 84be 5886 a8eb 1064 9cbf',
    '8287 85bf 4088 25a8 49e9 5ba9 7d7f 8925 a849 e95b b8e8 b4bf',
  ];
  const [first, second, third] = blocks.map((block) => Object.fromEntries(fieldsIn(decoder, hex(block))));
  expect(first).toMatchObject({ ':method': 'GET', ':scheme': 'http', ':authority': 'www.example.com' });
  expect(second).toMatchObject({ ':authority': 'www.example.com', 'cache-control': 'no-cache' });
  expect(third).toMatchObject({ ':scheme': 'https', 'custom-key': 'custom-value' });
});

test('a block that comes twice means the same twice, and something else after a new field', () => {
  const decoder = new HpackDecoder(roomy);
  decoder.decode(Buffer.concat([hex('40 01 61 01'), Buffer.from('1')]));
  const known = hex('be be');
  expect(fieldsIn(decoder, known)[0]).toEqual(['a', '1']);
  expect(decoder.decode(known)).toBe(decoder.decode(known));
  decoder.decode(Buffer.concat([hex('40 01 61 01'), Buffer.from('2')]));
  expect(fieldsIn(decoder, known)[0]).toEqual(['a', '2']);
});

const names = fc.constantFrom(
  'content-type',
  'cache-control',
  'vary',
  'audit-id',
  'date',
  'x-own',
  'grpc-status',
);
// oxlint-disable-next-line no-control-regex
const values = fc
  .string({ unit: 'binary', maxLength: 200 })
  .map((text) => text.replaceAll(/[^\t -~]/g, '\u00e4'));

test('what we write is read back, over many blocks of one connection', () => {
  fc.assert(
    fc.property(fc.array(fc.dictionary(names, values), { maxLength: 40 }), (blocks) => {
      const encoder = new HpackEncoder();
      const decoder = new HpackDecoder(roomy);
      for (const headers of blocks)
        expect(fieldsIn(decoder, encoded(encoder, headers))).toEqual(Object.entries(headers));
    }),
  );
});

test('a field that comes again takes one byte, where the client keeps a table', () => {
  const headers = { 'content-type': 'application/json', 'cache-control': 'no-cache, private' };
  const keeping = new HpackEncoder();
  encoded(keeping, headers, 200);
  expect(encoded(keeping, headers, 200).length).toBe(3);

  const without = new HpackEncoder();
  without.setTableBytes(100);
  const first = encoded(without, headers, 200);
  // A table size of zero is announced once.
  expect(first[0]).toBe(0b0010_0000);
  expect(encoded(without, headers, 200).length).toBe(first.length - 1);
});

test.each(['200', '404', '409', '431', '500', '503'])('status %s is read back', (status) => {
  const block = encoded(new HpackEncoder(), {}, Number(status));
  expect(fieldsIn(new HpackDecoder(roomy), block)).toEqual([[':status', status]]);
});

test.each(['ff ff ff ff ff ff', '80', 'bf', '40 05 61', '3f ff ff 7f', '00 81 00 00', '82 20'])(
  'the block %s is refused',
  (block) => {
    expect(() => new HpackDecoder(roomy).decode(hex(block))).toThrow();
  },
);

test('a list beyond the bound is read to its end and not kept; one far beyond is not read', () => {
  const decoder = new HpackDecoder(1000);
  const reported = Buffer.concat([hex('40 01 61 7f 49'), Buffer.alloc(200, 'b')]);
  expect(decoder.decode(Buffer.concat([reported, Buffer.alloc(5, 0xbe)]))).toBeUndefined();
  expect(fieldsIn(decoder, hex('be'))).toEqual([['a', 'b'.repeat(200)]]);
  expect(() => decoder.decode(Buffer.alloc(20, 0xbe))).toThrow(/headers of/);
});

test('a Huffman code with wrong filling is none', () => {
  const decoded = (text: string) => decodeHuffman(hex(text), 0, hex(text).length);
  expect(decoded('f1e3 c2e5 f23a 6ba0 ab90 f4ff')).toBe('www.example.com');
  expect(decoded('f1e3 c2e5 f23a 6ba0 ab90 f400')).toBeUndefined();
  expect(decoded('f1e3 c2e5 f23a 6ba0 ab90 f4ff ff')).toBeUndefined();
  expect(decoded('ff ff ff ff')).toBeUndefined();
});
