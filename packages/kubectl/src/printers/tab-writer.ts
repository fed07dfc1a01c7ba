/**
 * Go's text/tabwriter as kubectl uses it: cells end with a tab, columns are as wide as their widest cell
 * (at least 6) plus 3 spaces; a column ends where a line has no such cell.
 */

const cellWidthMin = 6;
const paddingColumns = 3;

export interface TabWriterOptions {
  readonly widthMin?: number;
  readonly padding?: number;
  /** The widths of an earlier block, which later lines keep (for watches). */
  readonly remember?: number[];
}

export function alignTabs(text: string, options: TabWriterOptions = {}): string {
  if (text === '') return '';
  const trailing = text.endsWith('\n');
  const rows = (trailing ? text.slice(0, -1) : text).split('\n').map((line) => line.split('\t'));
  const widths = rows.map((cells) => cells.map(() => 0));
  measure(rows, widths, 0, rows.length, 0, options);
  const lines = rows.map((cells, row) =>
    cells
      .map((cell, column) =>
        column === cells.length - 1
          ? cell
          : cell + ' '.repeat(Math.max(0, (widths[row]?.[column] ?? 0) - columnsOf(cell))),
      )
      .join(''),
  );
  return lines.join('\n') + (trailing ? '\n' : '');
}

/** Computes the width for each block of consecutive lines with a cell in the column. */
function measure(
  rows: readonly string[][],
  widths: number[][],
  from: number,
  to: number,
  column: number,
  options: TabWriterOptions,
): void {
  const { widthMin = cellWidthMin, padding = paddingColumns, remember } = options;
  const isTerminated = (row: number) => column < (rows[row]?.length ?? 0) - 1;
  for (let start = from; start < to;) {
    if (!isTerminated(start)) {
      start++;
      continue;
    }
    let end = start;
    let width = widthMin;
    let empty = true;
    for (; end < to && isTerminated(end); end++) {
      const cell = rows[end]?.[column] ?? '';
      width = Math.max(width, columnsOf(cell) + padding);
      if (cell !== '') empty = false;
    }
    // A column of empty cells is at least as wide as its padding.
    if (empty) width = Math.max(widthMin, padding);
    if (remember !== undefined) {
      width = Math.max(width, remember[column] ?? 0);
      remember[column] = width;
    }
    for (let row = start; row < end; row++) (widths[row] as number[])[column] = width;
    measure(rows, widths, start, end, column + 1, options);
    start = end;
  }
}

const columnsOf = (cell: string): number => [...cell].length;
