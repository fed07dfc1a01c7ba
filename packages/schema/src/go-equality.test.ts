import { expect, test } from 'vitest';
import { decode, goEqual } from './index.ts';
import { int32, list, map, optional, pointer, quantity, string, struct } from './type.ts';

const Part = struct('test/v1.Part', { name: optional(1, string) });
const Whole = struct('test/v1.Whole', {
  part: pointer(1, Part),
  inner: optional(2, Part),
  names: optional(3, list(string)),
  labels: optional(4, map(string)),
  count: optional(5, int32),
  limit: pointer(6, int32),
});

const decoded = (value: unknown) => decode(Whole, JSON.stringify(value)).object;

test.each([
  ['an empty struct behind a pointer', { part: {} }, false],
  ['an empty struct without a pointer', { inner: {} }, true],
  ['a zero', { count: 0 }, true],
  ['a zero behind a pointer', { limit: 0 }, false],
  ['an empty list', { names: [] }, true],
  ['an empty map', { labels: {} }, true],
  ['a label', { labels: { a: '' } }, false],
])('%s and nothing', (_, value, expected) => {
  expect(goEqual(Whole, decoded(value), decoded({}), 'semantic')).toBe(expected);
});

test.each([
  ['1', '1000m', true],
  ['1Gi', '1024Mi', true],
  ['1', '+1', true],
  ['1', '1001m', false],
])('quantities %s and %s by their values', (a, b, expected) => {
  const type = map(quantity);
  expect(goEqual(type, { cpu: a }, { cpu: b }, 'semantic')).toBe(expected);
});

test('to the exact equality, an empty list that was sent is not one that is absent', () => {
  const sent = decoded({ names: [] });
  expect(goEqual(Whole, sent, decoded({}), 'exact')).toBe(false);
  expect(goEqual(Whole, decoded({ names: ['a'] }), decoded({ names: ['a'] }), 'exact')).toBe(true);
});
