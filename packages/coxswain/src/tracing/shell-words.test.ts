import { expect, test } from 'vitest';
import { shellWords } from './shell-words.ts';

test.each([
  ['create cm a --from-literal=k="two words"', ['create', 'cm', 'a', '--from-literal=k=two words']],
  ["a 'b  c' d\\ e", ['a', 'b  c', 'd e']],
  ['"a \\"b\\" \\n" \'\'', ['a "b" \\n', '']],
  ['  ', []],
])('%s', (line, words) => {
  expect(shellWords(line)).toEqual(words);
});

test('a quote that is not closed is refused', () => {
  expect(() => shellWords("get 'pods")).toThrow("a quote is not closed in: get 'pods");
});
