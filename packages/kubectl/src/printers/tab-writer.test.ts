import { expect, test } from 'vitest';
import { alignTabs } from './tab-writer.ts';

test('columns are as wide as their widest cell, and 3 more', () => {
  expect(alignTabs('NAME\tSTATUS\tAGE\nnamespace-one\tActive\t1d\n')).toBe(
    'NAME            STATUS   AGE\nnamespace-one   Active   1d\n',
  );
});

test('a column ends where a line has no such cell', () => {
  expect(alignTabs('a\tb\nalone\nlonger\tb\n', { widthMin: 0, padding: 1 })).toBe('a b\nalone\nlonger b\n');
});

test('widths of an earlier block are kept', () => {
  const remember: number[] = [];
  alignTabs('NAME\tAGE\nlong-name\t1\n', { remember });
  expect(alignTabs('x\t2\n', { remember })).toBe('x           2\n');
});
