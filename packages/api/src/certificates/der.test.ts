import { expect, test } from 'vitest';
import { oidText, readElement, sequenceOf } from './der.ts';

const read = (...bytes: number[]) => readElement(Uint8Array.from(bytes), 0, sequenceOf('thing'));

test('an element has its content and an end', () => {
  const { content, end } = read(0x30, 3, 2, 1, 5, 0xff);
  expect([...content]).toEqual([2, 1, 5]);
  expect(end).toBe(5);
});

test.each([
  [[], 'asn1: syntax error: sequence truncated'],
  [[0x30], 'asn1: syntax error: truncated tag or length'],
  [[0x30, 2, 0], 'asn1: syntax error: data truncated'],
  [[0x30, 0x80], 'asn1: syntax error: indefinite length found (not DER)'],
  [[0x30, 0x81, 5], 'asn1: structure error: non-minimal length'],
  [[0x30, 0x82, 0, 5], 'asn1: structure error: superfluous leading zeros in length'],
])('%j is refused in the words of Go', (bytes, message) => {
  expect(() => read(...bytes)).toThrow(message);
});

test('an unexpected tag is reported with the name of the type', () => {
  expect(() => read(2, 1, 1)).toThrow(
    /^asn1: structure error: tags don't match \(16 vs \{class:0 tag:2 length:1 isCompound:false\}\) .* thing @2$/,
  );
});

test('an object identifier is written with dots', () => {
  expect(oidText(Uint8Array.from([0x2a, 0x86, 0x48, 0xce, 0x3d, 4, 3, 2]))).toBe('1.2.840.10045.4.3.2');
});
