import { expect, it } from 'vitest';
import { unifiedDiff } from '../src/meta/unified-diff.ts';

it('shows changed lines with three around them', () => {
  const before = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'].join('\n');
  const after = before.replace('e', 'x');
  expect(unifiedDiff(before, after).trimEnd()).toBe(
    ['@@ -2,7 +2,7 @@', ' b', ' c', ' d', '-e', '+x', ' f', ' g', ' h'].join('\n'),
  );
});
