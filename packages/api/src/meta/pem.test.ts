import { expect, test } from 'vitest';
import { pemBlocks } from './pem.ts';

const block = (type: string, body = 'AQID\n') => `-----BEGIN ${type}-----\n${body}-----END ${type}-----\n`;
const typesIn = (text: string) => pemBlocks(text).map(({ type }) => type);

test('blocks are found in order, whatever surrounds them', () => {
  expect(typesIn(`before\n${block('A')}between\n${block('B')}after`)).toEqual(['A', 'B']);
});

test('a block holds the bytes of its base64, over several lines and with carriage returns', () => {
  const [found] = pemBlocks(block('A', 'AQ\r\nID\r\n'));
  expect([...found!.bytes]).toEqual([1, 2, 3]);
});

test('headers are reported', () => {
  expect(pemBlocks(block('A', 'Name: value\n\nAQID\n'))).toMatchObject([{ hasHeaders: true }]);
  expect(pemBlocks(block('A'))).toMatchObject([{ hasHeaders: false }]);
});

test.each([
  ['text before the beginning on its line', `x${block('A')}`],
  ['another type at the end', '-----BEGIN A-----\nAQID\n-----END B-----\n'],
  ['what is no base64', block('A', 'A!ID\n')],
  ['no end', '-----BEGIN A-----\nAQID\n'],
])('%s makes it no block', (_what, text) => {
  expect(pemBlocks(text)).toEqual([]);
});
