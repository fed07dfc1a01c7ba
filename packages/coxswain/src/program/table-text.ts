/** Formats rows of cells as aligned lines; the first row is the header. */
export function tableText(rows: readonly (readonly string[])[], gap = '   '): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows
    .map(
      (row) =>
        `${row
          .map((cell, column) => cell.padEnd(widths[column]!))
          .join(gap)
          .trimEnd()}\n`,
    )
    .join('');
}
