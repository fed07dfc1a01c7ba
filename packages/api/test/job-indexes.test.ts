import { describe, expect, it } from 'vitest';
import { commonIndex, countIndexes } from '../src/batch/v1/job-indexes.ts';

describe('countIndexes', () => {
  it('counts single indexes and intervals', () => {
    expect(countIndexes('', 5)).toBe(0);
    expect(countIndexes('0,2-4', 5)).toBe(4);
  });

  it.each([
    [
      '1-2-3',
      `the fragment "1-2-3" violates the requirement that an index interval can have at most two parts separated by '-'`,
    ],
    ['a', 'cannot convert string to integer for index: "a"'],
    ['5', 'too large index: "5"'],
    ['3-3', 'non-increasing order, previous: 3, current: 3'],
    ['2,1', 'non-increasing order, previous: 2, current: 1'],
  ])('refuses %s', (text, message) => {
    expect(() => countIndexes(text, 5)).toThrow(message);
  });
});

describe('commonIndex', () => {
  it('finds the first index of both lists', () => {
    expect(commonIndex('0-2,6', '4,6-8', 10)).toBe(6);
    expect(commonIndex('0-2', '3-5', 10)).toBeUndefined();
    expect(commonIndex('x,4', '4', 10)).toBe(4);
  });
});
