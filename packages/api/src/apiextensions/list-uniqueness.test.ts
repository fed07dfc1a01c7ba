import { fieldErrorText } from '@coxswain/apimachinery/field-error.ts';
import { expect, test } from 'vitest';
import { listTypeErrors } from './list-uniqueness.ts';

const texts = (list: object, value: unknown): readonly string[] => {
  const schema = { type: 'object', properties: { a: { type: 'array', ...list } } };
  return listTypeErrors(schema, { a: value }).map(fieldErrorText);
};
const mapBy = (...keys: readonly string[]) => ({
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': keys,
  items: { type: 'object' },
});

test('a set has every element once, and each duplicate is reported once', () => {
  const set = { 'x-kubernetes-list-type': 'set', items: { type: 'string' } };
  expect(texts(set, ['x', 'y', 'x', 'x'])).toEqual(['a[2]: Duplicate value: "x"']);
  expect(
    texts(set, [
      { b: 1, a: 2 },
      { a: 2, b: 1 },
    ]),
  ).toEqual(['a[1]: Duplicate value: {"a":2,"b":1}']);
});

test('elements of a map differ in their keys, those that are missing count', () => {
  expect(
    texts(mapBy('k', 'b'), [
      { k: 1, b: 2, c: 3 },
      { c: 4, b: 2, k: 1 },
    ]),
  ).toEqual(['a[1]: Duplicate value: {"b":2,"k":1}']);
  expect(texts(mapBy('k'), [null, { c: 4 }])).toEqual(['a[1]: Duplicate value: {}']);
});

test('elements of a map are objects', () => {
  const text = 'must be an object for an array of list-type map';
  expect(texts(mapBy('k'), [{ k: 1 }, 'x', 'x'])).toEqual([`a[1]: Invalid value: "x": ${text}`]);
});
