/** Cells with a comma behind each but the last, every column as wide as its widest cell and one space more. */

/** The least width of a column. */
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
