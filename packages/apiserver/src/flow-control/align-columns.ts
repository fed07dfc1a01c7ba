/** Formats a table: a comma after each cell but the last, every column one space wider than its widest cell. */

/** The minimum width of a column. */
const columnWidthMin = 8;

export function alignColumns(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [at, cell] of row.entries()) {
      widths[at] = Math.max(widths[at] ?? columnWidthMin, cell.length + 2);
    }
  }
  return rows
    .map((row) => {
      const last = row.length - 1;
      return `${row.map((cell, at) => (at === last ? cell : `${cell},`.padEnd(widths[at]!))).join('')}\n`;
    })
    .join('');
}
