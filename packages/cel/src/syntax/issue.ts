/** An issue of an expression, and the text that shows its position. */

import { countCodePoints } from '../values/code-points.ts';
import type { Location, Source } from './source.ts';

export interface Issue {
  readonly location: Location;
  readonly message: string;
}

/** Further issues are only counted. */
export const issuesMax = 100;

/** Longer lines are not quoted, in bytes of UTF-8. */
const snippetBytesMax = 16_384;

/** All issues in order of position, each with its line and a caret under the column. */
export function formatIssues(source: Source, issues: readonly Issue[]): string {
  const shown = issues
    .slice(0, issuesMax)
    .toSorted(
      (one, other) => one.location.line - other.location.line || one.location.column - other.location.column,
    )
    .map((issue) => formatIssue(source, issue));
  if (issues.length > issuesMax) shown.push(`${issues.length - issuesMax} more errors were truncated`);
  return shown.join('\n');
}

function formatIssue(source: Source, { location, message }: Issue): string {
  // An empty text has no columns.
  const column = source.lines.length === 1 && source.lines[0] === '' ? -1 : location.column;
  const head = `ERROR: <input>:${location.line}:${column + 1}: ${message}`;
  const line = source.lines[location.line - 1];
  if (line === undefined || column < 0 || new TextEncoder().encode(line).length > snippetBytesMax)
    return head;
  const snippet = line.replaceAll('\t', ' ');
  return `${head}\n | ${snippet}\n | ${caretUnder(snippet, column)}`;
}

/** Dots up to the caret, full-width ones under non-ASCII characters. */
function caretUnder(snippet: string, column: number): string {
  const characters = [...snippet];
  const isWide = (character: string | undefined): boolean =>
    character !== undefined && character.charCodeAt(0) > 127;
  const dots = characters.slice(0, column).map((character) => (isWide(character) ? '．' : '.'));
  return dots.join('') + (isWide(characters[column]) ? '＾' : '^');
}

export const isTooLong = (text: string, codePointsMax: number): boolean =>
  text.length > codePointsMax && countCodePoints(text) > codePointsMax;
