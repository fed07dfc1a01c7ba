import type { Change, ObjectHistory } from '@coxswain/client/history/object-history.ts';
import { objectDiff } from '@coxswain/client/history/object-diff.ts';
import { writerOf } from '@coxswain/client/history/writer-of.ts';
import { writeOf, type LoggedWrite } from './logged-writes.ts';

interface Shown {
  /** The writes of the object whose users the server remembers. */
  readonly writes: readonly LoggedWrite[];
  /** How a value is shown; as JSON by default. */
  readonly shown?: (path: string, value: unknown) => string;
}

/** Renders one paragraph per change, oldest first, after a line about what came before. */
export function renderHistory(
  title: string,
  { changes, begins, first }: ObjectHistory,
  options: Shown,
): string {
  const opening =
    begins === 'compacted'
      ? [
          `Changes up to resourceVersion ${first?.metadata.resourceVersion} are not available: the server has compacted its history.`,
        ]
      : begins === 'limited'
        ? ['Earlier changes are not shown because of --limit.']
        : [];
  const paragraphs = [title, ...opening, ...changes.map((change) => renderChange(change, options))];
  return `${paragraphs.join('\n\n')}\n`;
}

function renderChange(change: Change, { writes, shown }: Shown): string {
  const { kind, before, after, revision } = change;
  const write = writeOf(change, writes);
  if (after === undefined) {
    const by =
      write === undefined
        ? '(the time and the user are not recorded)'
        : `as ${write.user}, ${new Date(write.atMs).toISOString().slice(0, 19)}Z`;
    return `resourceVersion ${revision}: deleted ${by}`;
  }
  const writer = writerOf(before, after);
  const user = write === undefined ? '' : ` as ${write.user}`;
  const who =
    writer === undefined
      ? user.trimStart() || 'by an unknown writer'
      : `by ${writer.manager} (${writer.operation})${user}, ${writer.time}`;
  const lines = objectDiff(before, after, shown).map((line) => `  ${line}`);
  const diff = lines.length === 0 ? ['  (only managed fields)'] : lines;
  return [`resourceVersion ${revision}: ${kind} ${who}`, ...diff].join('\n');
}
