import { expect, test } from 'vitest';
import { LineNumbers } from './line-numbers.ts';

test('each place is in the line that its line break ends', () => {
  const text = 'a\nbc\n\nd';
  const lines = new LineNumbers(text);
  expect(Array.from({ length: text.length + 1 }, (_, at) => lines.of(at))).toEqual([1, 1, 2, 2, 2, 3, 4, 4]);
});

test('an empty text is one line', () => {
  expect(new LineNumbers('').of(0)).toBe(1);
});
