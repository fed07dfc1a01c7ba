/** The labels of the rows with the number of rows that have each, most common first. */

import type { ListedRow } from '../../../cluster/table-source.ts';
import type { Suggestion } from '../../../controls/suggest-input.tsx';

/** The maximum number of rows to read; more would add little. */
const readMax = 5000;

/** Completes the last requirement of a selector and keeps those before it. */
export function labelSuggestions(typed: string, rows: ReadonlyMap<string, ListedRow>): readonly Suggestion[] {
  const comma = typed.lastIndexOf(',') + 1;
  const [before, last] = [typed.slice(0, comma), typed.slice(comma).trim()];
  const equals = last.search(/!?=/);
  const key = equals < 0 ? undefined : last.slice(0, equals);
  const counts = new Map<string, number>();
  let read = 0;
  for (const { metadata } of rows.values()) {
    if (++read > readMax) break;
    for (const [name, value] of Object.entries(metadata.labels ?? {})) {
      if (key !== undefined && name !== key) continue;
      const found = key === undefined ? name : value;
      counts.set(found, (counts.get(found) ?? 0) + 1);
    }
  }
  const start = key === undefined ? last : last.slice(equals).replace(/^!?==?/, '');
  const stem = key === undefined ? '' : last.slice(0, last.length - start.length);
  return [...counts]
    .filter(([found]) => found.includes(start) && found !== start)
    .toSorted(([, one], [, other]) => other - one)
    .map(([found, count]) => ({
      value: `${before}${stem}${found}${key === undefined ? '=' : ''}`,
      note: String(count),
    }));
}
