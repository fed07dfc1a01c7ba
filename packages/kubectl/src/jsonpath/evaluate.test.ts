import { expect, test } from 'vitest';
import { compileJsonPath } from './evaluate.ts';
import { relaxedJsonPath } from './relaxed.ts';

const data = {
  kind: 'List',
  items: [
    { name: 'a', size: 1, tags: ['x', 'y'] },
    { name: 'b', size: 3, tags: [] },
    { name: 'c', size: 2, 'with.dot': true },
  ],
};

test.each([
  ['{.kind}', 'List'],
  ['{.items[*].name}', 'a b c'],
  ['{.items[0].tags}', '["x","y"]'],
  ['{.items[-1].name}', 'c'],
  ['{.items[0:2].name}', 'a b'],
  ['{.items[?(@.size>1)].name}', 'b c'],
  ['{.items[?(@.name=="b")].size}', '3'],
  ['{range .items[*]}{.name}={.size}{"\\n"}{end}', 'a=1\nb=3\nc=2\n'],
  ['{..name}', 'a b c'],
  ["{.items[2]['with\\.dot']}", 'true'],
  ['plain {.kind} text', 'plain List text'],
])('%s', (template, expected) => {
  expect(compileJsonPath(template).print(data)).toBe(expected);
});

test('a field that is not there is an error, or nothing', () => {
  expect(() => compileJsonPath('{.nothing}').print(data)).toThrow('nothing is not found');
  expect(compileJsonPath('{.nothing}', { allowMissingKeys: true }).print(data)).toBe('');
});

test('expressions without braces', () => {
  expect(relaxedJsonPath('metadata.name')).toBe('{.metadata.name}');
  expect(relaxedJsonPath('{.metadata.name}')).toBe('{.metadata.name}');
});
