import { expect, test } from 'vitest';
import { IndexSet } from './index-set.ts';

test('indexes are written as intervals and read back', () => {
  expect(String(IndexSet.empty.with([3, 1, 2, 7, 9, 10]))).toBe('1-3,7,9,10');
  expect(String(IndexSet.parse('1-3,7,9,10', 20))).toBe('1-3,7,9,10');
});

test('indexes beyond the completions are dropped', () => {
  const set = IndexSet.parse('1-3,7-30,40', 10);
  expect(set.size).toBe(6);
  expect(set.has(9)).toBe(true);
  expect(set.has(10)).toBe(false);
});

test('invalid parts are ignored', () => {
  expect(IndexSet.parse('x,2', 5).size).toBe(1);
  expect(IndexSet.parse(undefined, 5).size).toBe(0);
});

test('neighbours join and overlaps are counted', () => {
  const low = IndexSet.empty.with([0, 1]);
  const high = IndexSet.empty.with([1, 2]);
  expect(String(low.union(high))).toBe('0-2');
  expect(low.overlap(high)).toBe(1);
});
