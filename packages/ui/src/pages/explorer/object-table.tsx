/** A virtualized table: only the visible rows of any number are rendered. */

import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { ApiResource } from '@coxswain/client';
import type { ListedRow } from '../../cluster/table-source.ts';
import { inLanguages } from '../../language/language.ts';
import { objectPath } from '../../navigation/paths.ts';
import { go, goQuery } from '../../navigation/route.ts';
import { isTaken } from '../../controls/is-taken.ts';
import { lengthsOf, widthsOf, type ShownColumn } from './columns.ts';
import { ObjectRow } from './object-row.tsx';
import type { Selection } from './selection.ts';

const text = inLanguages(
  { all: 'Select all that are shown', sort: (column: string) => `Sort by ${column}` },
  { all: '选择当前显示的全部', sort: (column: string) => `按 ${column} 排序` },
);

const rowPx = 32;
/** Rows rendered above and below the visible ones, so that fast scrolling shows no gaps. */
const beyond = 12;

interface ObjectTableProps {
  readonly kind: ApiResource;
  readonly columns: readonly ShownColumn[];
  readonly rows: readonly ListedRow[];
  readonly sort: string;
  readonly selected: Selection;
}

export function ObjectTable({ kind, columns, rows, sort, selected }: ObjectTableProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const [first, count] = useWindow(scroller);
  const widths = useWidths(columns, rows);
  const [cursor, setCursor] = useState(-1);
  const pathOf = ({ metadata: { namespace, name = '' } }: ListedRow) => objectPath(kind, namespace, name);
  useRowKeys({ scroller, rows, cursor, setCursor, selected, open: (row) => go(pathOf(row)) });
  const start = Math.max(0, Math.min(first - beyond, rows.length - count));
  const shown = rows.slice(start, first + count + beyond);
  // Elements of rows that leave the visible area are reused for those that enter it.
  const slots = count + 2 * beyond;
  const isAll = selected.uids.size > 0 && selected.uids.size >= rows.length;
  return (
    <div
      class="object-table"
      ref={scroller}
      role="grid"
      aria-rowcount={rows.length + 1}
      aria-label={kind.kind}
      tabIndex={0}
      style={{ '--columns': widths.tracks, '--row-width': `${widths.totalPx}px` }}
    >
      <div class="object-table-head" role="row" aria-rowindex={1}>
        <span role="columnheader">
          <input
            type="checkbox"
            aria-label={text().all}
            checked={isAll}
            onChange={() =>
              isAll ? selected.clear() : selected.set(rows.map(({ metadata }) => metadata.uid ?? ''))
            }
          />
        </span>
        {columns.map((column) => (
          <ColumnHead key={column.id} column={column} sort={sort} />
        ))}
      </div>
      <div class="object-table-body" role="rowgroup" style={{ height: `${rows.length * rowPx}px` }}>
        <div style={{ transform: `translateY(${start * rowPx}px)` }} role="presentation">
          {shown.map((row, index) => (
            <ObjectRow
              key={(start + index) % slots}
              row={row}
              columns={columns}
              path={pathOf(row)}
              index={start + index + 2}
              isSelected={selected.uids.has(row.metadata.uid ?? '')}
              isCursor={start + index === cursor}
              onToggle={selected.toggle}
            />
          ))}
        </div>
      </div>
    </div>
  );
}

function useWidths(columns: readonly ShownColumn[], rows: readonly ListedRow[]): ReturnType<typeof widthsOf> {
  const known = useRef<{ columns: readonly ShownColumn[]; lengths: readonly number[] }>({
    columns,
    lengths: [],
  });
  const before = known.current.columns === columns ? known.current.lengths : [];
  const lengths = useMemo(() => lengthsOf(columns, rows, before), [columns, rows]);
  known.current = { columns, lengths };
  return useMemo(() => widthsOf(columns, lengths), [columns, lengths]);
}

function ColumnHead({ column, sort }: { readonly column: ShownColumn; readonly sort: string }) {
  const direction = sort === column.id ? 'ascending' : sort === `-${column.id}` ? 'descending' : undefined;
  const orders = [column.id, `-${column.id}`];
  if (column.isLargestFirst === true) orders.reverse();
  // The order of the server comes after both.
  const next = direction === undefined ? orders[0] : sort === orders[0] ? orders[1] : undefined;
  return (
    <span role="columnheader" aria-sort={direction} data-kind={column.kind}>
      <button
        type="button"
        title={[column.title, column.description].filter(Boolean).join(': ')}
        onClick={() => goQuery({ sort: next })}
      >
        {column.title}
        <span class="object-table-sort" aria-hidden="true">
          {direction === 'ascending' ? '↑' : direction === 'descending' ? '↓' : ''}
        </span>
      </button>
    </span>
  );
}

/** The index of the first visible row, and the number of visible rows. */
function useWindow(scroller: { readonly current: HTMLDivElement | null }): readonly [number, number] {
  const [range, setRange] = useState<readonly [number, number]>([0, 40]);
  useEffect(() => {
    const element = scroller.current;
    if (element === null) return undefined;
    const look = (): void => {
      const next = [Math.floor(element.scrollTop / rowPx), Math.ceil(element.clientHeight / rowPx)] as const;
      leaveGone(element, next);
      setRange((before) => (before[0] === next[0] && before[1] === next[1] ? before : next));
    };
    look();
    const observer = new ResizeObserver(look);
    observer.observe(element);
    element.addEventListener('scroll', look, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', look);
    };
  }, []);
  return range;
}

/**
 * Removes the focus from a row that is no longer rendered: its element will display another row, which the user has not
 * chosen.
 */
function leaveGone(element: HTMLDivElement, [first, count]: readonly [number, number]): void {
  const row = document.activeElement?.closest<HTMLElement>('.object-row');
  if (row === null || row === undefined || !element.contains(row)) return;
  const index = Number(row.getAttribute('aria-rowindex')) - 2;
  if (index < first - beyond || index >= first + count + beyond) element.focus({ preventScroll: true });
}

interface RowKeys {
  readonly scroller: { readonly current: HTMLDivElement | null };
  readonly rows: readonly ListedRow[];
  readonly cursor: number;
  readonly setCursor: (index: number) => void;
  readonly selected: Selection;
  readonly open: (row: ListedRow) => void;
}

function useRowKeys(keys: RowKeys): void {
  const latest = useRef(keys);
  latest.current = keys;
  // Before rows are painted: who sees them may press keys.
  useLayoutEffect(() => {
    const take = (event: KeyboardEvent): void => {
      if (isTaken(event)) return;
      if (document.querySelector('dialog[open]') !== null || event.defaultPrevented) return;
      if (press(event.key, latest.current)) event.preventDefault();
    };
    addEventListener('keydown', take);
    return () => removeEventListener('keydown', take);
  }, []);
}

/** Handles a key and reports whether the table uses it. */
function press(key: string, { scroller, rows, cursor, setCursor, selected, open }: RowKeys): boolean {
  const step = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 }[key];
  if (step !== undefined) {
    const next = Math.max(0, Math.min(rows.length - 1, cursor + step));
    setCursor(next);
    reveal(scroller.current, next);
    return true;
  }
  const row = rows[cursor];
  if (key === 'Escape' && selected.uids.size > 0) selected.clear();
  else if (row !== undefined && key === 'x') selected.toggle(row.metadata.uid ?? '');
  else if (row !== undefined && key === 'Enter' && document.activeElement?.tagName !== 'A') open(row);
  else return false;
  return true;
}

function reveal(element: HTMLDivElement | null, index: number): void {
  if (element === null) return;
  const top = index * rowPx;
  const seen = element.clientHeight - 2 * rowPx;
  if (top < element.scrollTop) element.scrollTop = top;
  else if (top > element.scrollTop + seen) element.scrollTop = top - seen;
}
