import { expect, test } from 'vitest';
import { derText } from './der-text.ts';

const bytes = (...values: number[]) => Uint8Array.from(values);
const ascii = (text: string) => new TextEncoder().encode(text);

test.each<[string, number, Uint8Array, string | undefined]>([
  ['UTF-8, with its mark of byte order', 0x0c, ascii('\ufeffadmin'), '\ufeffadmin'],
  ['digits', 0x12, ascii('12 3'), '12 3'],
  ['printable letters', 0x13, ascii("a.B-*&'"), "a.B-*&'"],
  ['one byte a letter', 0x14, bytes(0x61, 0x80, 0xe9), 'a\u0080é'],
  ['ASCII', 0x16, ascii('a@b'), 'a@b'],
  ['two bytes a letter', 0x1e, bytes(0, 0x61, 0x20, 0xac), 'a€'],
  ['two bytes a letter, ended', 0x1e, bytes(0, 0x61, 0, 0), 'a'],
  ['two bytes a letter, with a mark', 0x1e, bytes(0xfe, 0xff, 0, 0x61), '\ufeffa'],
  ['four bytes a letter, which nobody reads', 0x1c, bytes(0, 0, 0, 0x61), undefined],
  ['a number', 0x02, bytes(1), undefined],
])('%s', (_what, tag, content, text) => {
  expect(derText(tag, content)).toBe(text);
});

test.each<[string, number, Uint8Array]>([
  ['half a character of UTF-8', 0x0c, bytes(0xc3)],
  ['a letter among digits', 0x12, ascii('1a')],
  ['a sign that is not printable', 0x13, ascii('a@b')],
  ['a byte beyond ASCII', 0x16, bytes(0x80)],
  ['half a character of two bytes', 0x1e, bytes(0, 0x61, 0)],
  ['a half of a pair', 0x1e, bytes(0xd8, 0)],
  ['a pair', 0x1e, bytes(0xd8, 0x3d, 0xde, 0)],
  ['no character at all', 0x1e, bytes(0xff, 0xff)],
])('%s is refused', (_what, tag, content) => {
  expect(() => derText(tag, content)).toThrow(/^asn1: syntax error: /);
});
