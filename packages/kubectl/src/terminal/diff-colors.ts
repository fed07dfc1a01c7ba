/** Colours a unified diff, and in replaced lines the words that differ. */
import { diffWordsWithSpace } from 'diff';
import { painted, type Color } from './colors.ts';

/** Longer lines are coloured as a whole, since comparing their words takes too long. */
const wordsLineMax = 2000;

export function paintedDiff(text: string): string {
  const lines = text.split('\n');
  const shown: string[] = [];
  for (let at = 0; at < lines.length;) {
    const removed = runOf(lines, at, '-');
    const added = runOf(lines, at + removed.length, '+');
    if (removed.length + added.length > 0) {
      shown.push(...paintedChange(removed, added));
      at += removed.length + added.length;
    } else shown.push(paintedLine(lines[at++] ?? ''));
  }
  return shown.join('\n');
}

const isFileName = (line: string): boolean => /^(?:---|\+\+\+) /.test(line);

function runOf(lines: readonly string[], from: number, sign: string): string[] {
  const end = lines.findIndex((line, at) => at >= from && (!line.startsWith(sign) || isFileName(line)));
  return lines.slice(from, end < 0 ? lines.length : end);
}

function paintedLine(line: string): string {
  if (line.startsWith('@@')) return painted(line, 'cyan');
  return line.startsWith('diff ') || isFileName(line) ? painted(line, 'bold') : line;
}

/** Corresponding lines differ in words; others are removed or added as a whole. */
function paintedChange(removed: readonly string[], added: readonly string[]): string[] {
  const pairs =
    removed.length === added.length ? removed.map((line, at) => words(line, added[at] ?? '')) : [];
  const before = removed.map((line, at) => pairs[at]?.before ?? painted(line, 'red'));
  const after = added.map((line, at) => pairs[at]?.after ?? painted(line, 'green'));
  return [...before, ...after];
}

function words(removed: string, added: string): { before: string; after: string } | undefined {
  if (Math.max(removed.length, added.length) > wordsLineMax) return undefined;
  const parts = diffWordsWithSpace(removed.slice(1), added.slice(1));
  const side = (sign: string, color: Color, has: (part: (typeof parts)[number]) => boolean): string =>
    painted(sign, color) +
    parts
      .filter(has)
      .map((part) =>
        painted(part.value, color, ...(part.added || part.removed ? (['reverse'] as const) : [])),
      )
      .join('');
  return {
    before: side('-', 'red', (part) => !part.added),
    after: side('+', 'green', (part) => !part.removed),
  };
}
