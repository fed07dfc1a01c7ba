import type { Entry, Event, Revision } from '../../storage.ts';
import type { Commit, LogRecord } from '../table.ts';

/**
 * Reconstructs commits with their new values: `records` (oldest first) have what each change replaced, and `newest` the
 * current state.
 */
export function gatherCommits(
  records: readonly LogRecord[],
  newest: (key: string) => Entry | undefined,
): Commit[] {
  const later = new Map<string, Entry | undefined>();
  const commits: { revision: Revision; events: Event[] }[] = [];
  for (const { revision, key, type, previous } of records.toReversed()) {
    const written = later.has(key) ? later.get(key) : newest(key);
    later.set(key, previous);
    const entry = type === 'put' ? written! : { ...previous!, modRevision: revision };
    const event: Event = { type, entry, ...(previous && { previous }) };
    const commit = commits.at(-1);
    if (commit?.revision === revision) commit.events.unshift(event);
    else commits.push({ revision, events: [event] });
  }
  return commits.reverse();
}
