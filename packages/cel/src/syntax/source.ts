/** The text of an expression, and where a position in it lies. */

import { countCodePoints } from '../values/code-points.ts';

export interface Location {
  /** From 1; -1 where an error has no place. */
  readonly line: number;
  /** From 0, in code points. */
  readonly column: number;
}

export const noLocation: Location = { line: -1, column: -1 };

export interface Source {
  readonly text: string;
  /** What messages call it, `<input>`. */
  readonly description: string;
  readonly lines: readonly string[];
  /** Where each line starts, in UTF-16 code units. */
  readonly lineStarts: readonly number[];
}

export function newSource(text: string, description = '<input>'): Source {
  const lines = text.split('\n');
  const lineStarts: number[] = [];
  let start = 0;
  for (const line of lines) {
    lineStarts.push(start);
    start += line.length + 1;
  }
  return { text, description, lines, lineStarts };
}

/** @param offset in UTF-16 code units */
export function locate(source: Source, offset: number): Location {
  // An empty text has no place to point at.
  if (source.text === '') return { line: 1, column: -1 };
  let line = 0;
  while (line + 1 < source.lineStarts.length && source.lineStarts[line + 1]! <= offset) line++;
  const start = source.lineStarts[line]!;
  return { line: line + 1, column: countCodePoints(source.text.slice(start, offset)) };
}
