/** Duplicate keys in a mapping, reported with their lines as go-yaml v3 does. */
import { goQuote } from '@coxswain/apimachinery/go-quote.ts';

/**
 * The text is in block style as printed, so a duplicate has the same indentation, with nothing less indented in
 * between.
 */
export function duplicateKeyError(text: string): string {
  const problems: string[] = [];
  const lines = text.split('\n');
  lines.forEach((line, index) => {
    const key = keyOf(line);
    if (key === undefined) return;
    for (let later = index + 1; later < lines.length; later++) {
      const other = lines[later] as string;
      if (other.trim() === '') continue;
      if (indentOf(other) < indentOf(line)) break;
      const again = keyOf(other);
      const startsItem = /^\s*- /.test(other) && columnOfKey(other) === columnOfKey(line);
      if (startsItem) break;
      if (again === key && columnOfKey(other) === columnOfKey(line)) {
        problems.push(
          `  line ${later + 1}: mapping key ${goQuote(key)} already defined at line ${index + 1}`,
        );
      }
    }
  });
  return `yaml: unmarshal errors:\n${problems.join('\n')}`;
}

const indentOf = (line: string): number => line.length - line.trimStart().length;
const columnOfKey = (line: string): number => /^[\s-]*/.exec(line)?.[0].length ?? 0;
const keyOf = (line: string): string | undefined => /^\s*(?:- )*"?([^\s:"][^:"]*)"?:(?:\s|$)/.exec(line)?.[1];
