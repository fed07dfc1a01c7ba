import { expect, test } from 'vitest';
import { feasibleNodesToFind } from './node-search.ts';

test.each([
  [50, 0, 50],
  [100, 0, 100],
  [1000, 0, 420],
  [5000, 0, 500],
  [6000, 0, 300],
  [1000, 30, 300],
  [200, 10, 100],
])(
  'of %i nodes, with %i percent asked for, the search ends after %i that fit',
  (nodes, percentage, expected) => {
    expect(feasibleNodesToFind(nodes, percentage)).toBe(expected);
  },
);
