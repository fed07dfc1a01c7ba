import { expect, test } from 'vitest';
import { commandWords } from './command-words.ts';

test.each([
  ['kubectl get pods', ['kubectl', 'get', 'pods']],
  [`  exec web -- sh -c 'echo "hi"'  `, ['exec', 'web', '--', 'sh', '-c', 'echo "hi"']],
  [String.raw`-o jsonpath="{.a\"b}"`, ['-o', 'jsonpath={.a"b}']],
  [String.raw`a\ b '' c`, ['a b', '', 'c']],
  ['', []],
])('%s', (line, words) => {
  expect(commandWords(line)).toEqual(words);
});

test('a quote that is not closed is an error', () => {
  expect(() => commandWords(`echo 'hi`)).toThrow("the quote ' is not closed");
});
