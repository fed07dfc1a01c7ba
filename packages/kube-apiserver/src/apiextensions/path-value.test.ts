import { expect, test } from 'vitest';
import { valueAt } from './path-value.ts';

const object = { spec: { parts: [{ name: 'a' }, { name: 'b' }], 'x.y': 1 } };

test.each([
  ['.spec.parts[1].name', 'b'],
  ['.spec.parts[*].name', 'a'],
  ["['spec']['x.y']", 1],
  [".spec['x.y']", 1],
  ['.spec.none.deeper', undefined],
  ['.spec.parts[7].name', undefined],
])('%s', (path, expected) => {
  expect(valueAt(object, path)).toBe(expected);
});

test('filters are not understood', () => {
  expect(() => valueAt(object, '.spec.parts[?(@.name=="a")]')).toThrow('unsupported path');
});
