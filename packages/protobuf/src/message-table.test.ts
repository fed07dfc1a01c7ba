import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  MessageReader,
  MessageWriter,
  ProtobufError,
  decode,
  encode,
  field,
  optional,
  packed,
  repeated,
  type Field,
} from './index.ts';

const Inner = { name: field(1, 'string'), at: field(2, 'fixed64') };
const Outer = {
  count: field(1, 'int64'),
  text: field(2, 'string'),
  data: field(3, 'bytes'),
  flag: field(4, 'bool'),
  lease: field(5, 'id'),
  member: field(6, 'uid'),
  inner: field(7, Inner),
  inners: repeated(8, Inner),
  words: repeated(9, 'string'),
  numbers: packed(10, 'int64'),
  choice: optional(300, 'string'),
  level: optional(301, 'int64'),
};

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const bits64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
const unsigned64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
const inner = fc.record({ name: fc.string({ unit: 'grapheme' }), at: unsigned64 });
const bytes = fc.uint8Array({ maxLength: 300 });
const outer = fc.record({
  count: fc.maxSafeInteger(),
  text: fc.string({ unit: 'grapheme', maxLength: 200 }),
  data: bytes,
  flag: fc.boolean(),
  lease: bits64,
  member: unsigned64,
  inner: fc.option(inner, { nil: undefined }),
  inners: fc.array(inner),
  words: fc.array(fc.string()),
  numbers: fc.array(fc.maxSafeInteger()),
  choice: fc.option(fc.string(), { nil: undefined }),
  level: fc.option(fc.maxSafeInteger(), { nil: undefined }),
});

test('what is written is read again, whatever it is', () => {
  fc.assert(
    fc.property(outer, (message) => void expect(decode(Outer, encode(Outer, message))).toEqual(message)),
  );
});

test('whatever else comes is refused as no message, or read', () => {
  fc.assert(
    fc.property(bytes, (noise) => {
      try {
        decode(Outer, noise);
      } catch (failure) {
        expect(failure).toBeInstanceOf(ProtobufError);
      }
    }),
    { numRuns: 2_000 },
  );
});

test('zero and empty are left out, but for members of a choice', () => {
  expect(hex(encode(Outer, { count: 0, text: '', data: new Uint8Array(), flag: false, lease: 0n }))).toBe('');
  expect(hex(encode(Outer, { inner: {}, choice: '' }))).toBe('3a00e21200');
  expect(decode(Outer, encode(Outer, {}))).toMatchObject({ count: 0, choice: undefined, inner: undefined });
});

test('numbers are read one by one and in blocks, whichever the table has', () => {
  const Single = { numbers: repeated(10, 'int64') };
  const numbers = [1, 300, -1];
  expect(decode(Outer, encode(Single, { numbers })).numbers).toEqual(numbers);
  expect(decode(Single, encode(Outer, { numbers })).numbers).toEqual(numbers);
});

test('what a table does not know is passed over, in all wire types', () => {
  const newer = Buffer.from(
    'f80701' + 'f9070102030405060708' + 'fd0701020304' + 'fa07020909' + '0805',
    'hex',
  );
  expect(decode(Outer, newer).count).toBe(5);
});

test('messages within messages end somewhere', () => {
  const Nested: { readonly deeper: () => Field } = { deeper: () => field(1, Nested) };
  const writer = new MessageWriter();
  for (let depth = 0; depth < 70; depth++) {
    writer.varint(writer.length);
    writer.tag(1, 2);
  }
  expect(() => decode(Nested, writer.finish())).toThrow('nested more than 64 deep');
});

test('a message that could not be written leaves nothing to the next one', () => {
  expect(() => encode(Outer, { text: 'half', inner: { at: 'no number' as unknown as bigint } })).toThrow(
    SyntaxError,
  );
  expect(decode(Outer, encode(Outer, { flag: true }))).toMatchObject({ flag: true, text: '' });
});

test('a writer that grew gives all it was given', () => {
  const writer = new MessageWriter(16);
  const large = new Uint8Array(5_000_000).fill(7);
  writer.bytes(large);
  expect(new MessageReader(writer.finish()).bytes()).toEqual(large);
  writer.text('small');
  expect(new MessageReader(writer.finish()).text()).toBe('small');
});
