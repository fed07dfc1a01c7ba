import { expect, test } from 'vitest';
import { lineAt, rowsOf } from './log-rows.ts';

const lines = ['', 'short', 'x'.repeat(25), '日志日志日志', '\tx'].map((text, id) => ({
  id,
  text,
  time: '',
  timeMs: 0,
  source: '',
}));

test('a wrapped line takes as many rows as its letters need', () => {
  expect([...rowsOf(lines, { columns: 10, before: () => 0 })]).toEqual([0, 1, 2, 5, 7, 8]);
  expect([...rowsOf(lines, { columns: 10, before: () => 6 })]).toEqual([0, 1, 3, 7, 9, 11]);
});

test('a line that is not wrapped takes one row', () => {
  expect([...rowsOf(lines, { columns: Infinity, before: () => 6 })]).toEqual([0, 1, 2, 3, 4, 5]);
});

test('each row belongs to the line that covers it', () => {
  const starts = rowsOf(lines, { columns: 10, before: () => 0 });
  expect([0, 1, 2, 4, 5, 7, 99].map((row) => lineAt(starts, row))).toEqual([0, 1, 2, 2, 3, 4, 4]);
  expect(lineAt(rowsOf([], { columns: 10, before: () => 0 }), 3)).toBe(0);
});
