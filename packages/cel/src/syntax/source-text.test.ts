import { expect, test } from 'vitest';
import { baseEnvironment } from '../kubernetes/base-environment.ts';
import { dynType } from '../types/type.ts';
import { sourceTexts } from './source-text.ts';

function textsOf(text: string): readonly string[] {
  const { ast, issuesText } = baseEnvironment.extend({ variables: { a: dynType, b: dynType } }).compile(text);
  if (ast === undefined) throw new Error(issuesText);
  return [...sourceTexts(ast).values()];
}

test.each([
  ['a.b.c', ['a.b.c', 'a.b', 'a']],
  ['(a + b) * 2', ['(a + b) * 2', 'a + b', 'a', 'b', '2']],
  ['size(a) > -1', ['size(a) > -1', 'size(a)', 'a', '-1']],
  [
    'has(a.b) && a[0] == "x"',
    ['has(a.b) && a[0] == "x"', 'has(a.b)', 'a', 'a[0] == "x"', 'a[0]', 'a', '0', '"x"'],
  ],
  ['a.all(x, x > b)', ['a.all(x, x > b)', 'a', 'x > b', 'x', 'b']],
  ['a ? {} : {"k": b}', ['a ? {} : {"k": b}', 'a', '{}', '{"k": b}', '"k"', 'b']],
])('%s', (text, parts) => {
  expect(textsOf(text)).toEqual(parts);
});
