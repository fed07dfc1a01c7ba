/** Where lines begin that are wrapped at a number of columns, in rows of the view. */

import type { LogLine } from './log-lines.ts';

const tabColumns = 8;

/** Letters from here on, Hangul and Chinese among them, are taken to be two columns wide. */
const wideFrom = '\u1100';

export interface RowsOptions {
  /** Infinity if lines are not wrapped. */
  readonly columns: number;
  /** The columns that are taken before the text of a line. */
  readonly before: (line: LogLine) => number;
}

/** The first row of each line, and the number of all rows at the end. */
export function rowsOf(lines: readonly LogLine[], { columns, before }: RowsOptions): Uint32Array {
  const starts = new Uint32Array(lines.length + 1);
  for (const [index, line] of lines.entries()) {
    const rows = columns === Infinity ? 1 : Math.ceil((before(line) + widthOf(line.text)) / columns);
    starts[index + 1] = starts[index]! + Math.max(1, rows);
  }
  return starts;
}

/** One column for each letter, as in most logs. */
const isPlain = (text: string): boolean => /^[ -~]*$/.test(text);

function widthOf(text: string): number {
  if (isPlain(text)) return text.length;
  let width = 0;
  for (const letter of text) width += letter === '\t' ? tabColumns : letter >= wideFrom ? 2 : 1;
  return width;
}

/** The line that covers a row. */
export function lineAt(starts: Uint32Array, row: number): number {
  let [low, high] = [0, Math.max(0, starts.length - 2)];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (starts[middle]! <= row) low = middle;
    else high = middle - 1;
  }
  return low;
}
