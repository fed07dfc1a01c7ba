import { expect, test } from 'vitest';
import { commonStart, edited, emptyLine, History, type EditedLine } from './line-editor.ts';

const typed = (...keys: readonly string[]): string => {
  const { text, at }: EditedLine = keys.reduce(edited, emptyLine);
  return `${text.slice(0, at)}|${text.slice(at)}`;
};

const [left, right, home, end, backspace, remove] = [
  '\x1b[D',
  '\x1b[C',
  '\x1b[H',
  '\x1b[F',
  '\x7f',
  '\x1b[3~',
];

test('keys change the line where the cursor is', () => {
  expect(typed('get', ' ', 'pods')).toBe('get pods|');
  expect(typed('gat', left, backspace, 'e')).toBe('ge|t');
  expect(typed('abc', home, remove, right, 'x')).toBe('bx|c');
  expect(typed('abc', home, left, backspace)).toBe('|abc');
  expect(typed('abc', right, remove, end)).toBe('abc|');
  expect(typed('get pods', '\x17')).toBe('get |');
  expect(typed('get pods', left, '\x15')).toBe('|s');
  expect(typed('get pods', home, right, '\x0b')).toBe('g|');
});

test('other keys change nothing, and pasted lines become one', () => {
  expect(typed('a', '\x1b[5~', '\x02')).toBe('a|');
  expect(typed('a\nb')).toBe('a b|');
});

test('earlier lines come back, and then the unfinished input', () => {
  const history = new History();
  for (const line of ['one', 'two', 'two', ' ']) history.add(line);
  expect(history.older('typed')).toBe('two');
  expect(history.older('two')).toBe('one');
  expect(history.older('one')).toBe('one');
  expect(history.newer()).toBe('two');
  expect(history.newer()).toBe('typed');
});

test('the common prefix of several words', () => {
  expect(commonStart(['pods', 'podtemplates'])).toBe('pod');
  expect(commonStart(['pods', 'nodes'])).toBe('');
  expect(commonStart([])).toBe('');
});
