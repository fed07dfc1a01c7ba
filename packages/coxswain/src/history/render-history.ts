import type { Change, ObjectHistory } from '@coxswain/client/history/object-history.ts';
import { objectDiff } from '@coxswain/client/history/object-diff.ts';
import { writerOf } from '@coxswain/client/history/writer-of.ts';

/** Renders one paragraph per change, oldest first, after a line about what came before. */
export function renderHistory(
  title: string,
  { changes, begins, first }: ObjectHistory,
  shown?: (path: string, value: unknown) => string,
): string {
  const opening =
    begins === 'compacted'
      ? [
          `Changes up to resourceVersion ${first?.metadata.resourceVersion} are not available: the server has compacted its history.`,
        ]
      : begins === 'limited'
        ? ['Earlier changes are not shown because of --limit.']
        : [];
  const paragraphs = [title, ...opening, ...changes.map((change) => renderChange(change, shown))];
  return `${paragraphs.join('\n\n')}\n`;
}

function renderChange(
  { kind, before, after, revision }: Change,
  shown?: (path: string, value: unknown) => string,
): string {
  if (after === undefined) {
    return `resourceVersion ${revision}: deleted (the time and the user are not recorded)`;
  }
  const writer = writerOf(before, after);
  const who =
    writer === undefined
      ? 'by an unknown writer'
      : `by ${writer.manager} (${writer.operation}), ${writer.time}`;
  const lines = objectDiff(before, after, shown).map((line) => `  ${line}`);
  const diff = lines.length === 0 ? ['  (only managed fields)'] : lines;
  return [`resourceVersion ${revision}: ${kind} ${who}`, ...diff].join('\n');
}
