import { expect, test } from 'vitest';
import { sortObjects, Unsortable } from './sort.ts';

const sorted = (field: string, ...values: unknown[]) =>
  sortObjects(
    values.map((value, index) => ({ index, object: value === undefined ? {} : { value } })),
    field,
    ({ object }) => object,
  ).map(({ index }) => index);

test('objects without the field come first, the last of them foremost', () => {
  expect(sorted('.value', 2, undefined, 1, undefined)).toEqual([3, 1, 2, 0]);
});

test('quantities are compared as such, other text as text', () => {
  expect(sorted('.value', '1Gi', '900Mi', '2')).toEqual([2, 1, 0]);
  expect(sorted('.value', 'b', 'a10', 'a9')).toEqual([1, 2, 0]);
});

test.each([
  [{ a: 1 }, 'unsortable type: map[string]interface {}'],
  [[1], 'unsortable type: []interface {}'],
  [true, 'unsortable type: bool'],
])('%j has no order', (value, reason) => {
  expect(() => sorted('.value', value, value)).toThrow(Unsortable);
  expect(() => sorted('.value', value, value)).toThrow(reason);
});

test('one object alone is in order whatever its field holds', () => {
  expect(sorted('.value', { a: 1 })).toEqual([0]);
});
