/** The text of an expression, and the location of positions in it. */

import { countCodePoints } from '../values/code-points.ts';

export interface Location {
  /** Starts at 1; -1 for an error without a position. */
  readonly line: number;
  /** Starts at 0, in code points. */
  readonly column: number;
}

export const noLocation: Location = { line: -1, column: -1 };

export interface Source {
  readonly text: string;
  readonly lines: readonly string[];
  /** The start of each line, in UTF-16 code units. */
  readonly lineStarts: readonly number[];
}

export function newSource(text: string): Source {
  const lines = text.split('\n');
  const lineStarts: number[] = [];
  let start = 0;
  for (const line of lines) {
    lineStarts.push(start);
    start += line.length + 1;
  }
  return { text, lines, lineStarts };
}

/** @param offset in UTF-16 code units */
export function locate(source: Source, offset: number): Location {
  // An empty text has no position to point at.
  if (source.text === '') return { line: 1, column: -1 };
  let line = 0;
  while (line + 1 < source.lineStarts.length && source.lineStarts[line + 1]! <= offset) line++;
  const start = source.lineStarts[line]!;
  return { line: line + 1, column: countCodePoints(source.text.slice(start, offset)) };
}
