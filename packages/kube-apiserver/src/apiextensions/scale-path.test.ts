import { expect, test } from 'vitest';
import { memberAt } from './scale-path.ts';

const object = { spec: { size: 3, 'x.y': 1, none: null } };

test.each([
  ['.spec.size', { value: 3 }],
  ['.spec.none.deeper', {}],
  ['.spec.x.y', {}],
  [
    '.spec.size.deeper',
    { stranger: '.spec.size.deeper accessor error: 3 is of the type int64, expected map[string]interface{}' },
  ],
])('%s', (path, expected) => {
  expect(memberAt(object, path)).toEqual(expected);
});
