import { expect, test } from 'vitest';
import type { ListedRow } from '../../cluster/table-source.ts';
import { columnsOf, lengthsOf, widthsOf } from './columns.ts';
import { shownRows } from './shown-rows.ts';

const columns = columnsOf(
  ['Name', 'Status', 'Restarts'].map((name) => ({
    name,
    type: 'string',
    format: name === 'Name' ? 'name' : '',
    description: '',
    priority: 0,
  })),
  { withNamespace: false, isWide: false, isNarrow: false },
);
const row = (...cells: readonly string[]): ListedRow => ({ metadata: { name: cells[0]! }, cells });

test('a column grows with its texts, and never shrinks', () => {
  const first = lengthsOf(columns, [row('a', 'Running', '0')], []);
  const later = lengthsOf(columns, [row('a', 'CrashLoopBackOff', '4 (28s ago)')], first);
  expect(later).toEqual([5, 16, 11]);
  expect(lengthsOf(columns, [row('a', 'Running', '5 (1s ago)')], later)).toBe(later);
  expect(widthsOf(columns, later).totalPx).toBeGreaterThan(widthsOf(columns, first).totalPx);
});

test('restarts are sorted by their number', () => {
  const rows = new Map(
    [row('a', 'Running', '0'), row('b', 'Running', '10 (2s ago)'), row('c', 'Running', '9')].map((one) => [
      String(one.cells[0]),
      one,
    ]),
  );
  expect(shownRows(rows, columns, '', '-Restarts').map(({ metadata }) => metadata.name)).toEqual([
    'b',
    'c',
    'a',
  ]);
});
