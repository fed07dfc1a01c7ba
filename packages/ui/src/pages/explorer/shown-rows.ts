/** The rows that match a text, in the requested order. */

import type { ListedRow } from '../../cluster/table-source.ts';
import { lastSeen, type ShownColumn } from './columns.ts';

/**
 * @param sort a column id, preceded by a minus sign for descending order; empty for the server's order, or for the
 * latest events first
 */
export function shownRows(
  rows: ReadonlyMap<string, ListedRow>,
  columns: readonly ShownColumn[],
  filter: string,
  sort: string,
): readonly ListedRow[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  const all = [...rows.values()];
  const matching = words.length === 0 ? all : all.filter((row) => matches(row, columns, words));
  const wanted = sort === '' ? lastSeen : sort.replace(/^-/, '');
  const column = columns.find(({ id }) => id === wanted);
  return column === undefined
    ? inServerOrder(matching)
    : sorted(matching, column, sort.startsWith('-') ? -1 : 1);
}

function matches(row: ListedRow, columns: readonly ShownColumn[], words: readonly string[]): boolean {
  const text = columns.map((column) => column.textOf(row).toLowerCase());
  return words.every((word) => text.some((cell) => cell.includes(word)));
}

/** More rows than this stay in order of arrival: the server's order, with new ones at the end. */
const sortedMax = 20_000;

/** Sorts by namespace and name. */
const inServerOrder = (rows: ListedRow[]): readonly ListedRow[] =>
  rows.length > sortedMax
    ? rows
    : rows.sort(
        ({ metadata: one }, { metadata: other }) =>
          compare(one.namespace ?? '', other.namespace ?? '') || compare(one.name ?? '', other.name ?? ''),
      );

function sorted(rows: readonly ListedRow[], column: ShownColumn, direction: 1 | -1): readonly ListedRow[] {
  const keyed = rows.map((row) => ({ row, key: column.keyOf(row) }));
  keyed.sort(({ key: one }, { key: other }) => direction * compare(one, other));
  return keyed.map(({ row }) => row);
}

const compare = (one: string | number, other: string | number): number =>
  one < other ? -1 : one > other ? 1 : 0;
