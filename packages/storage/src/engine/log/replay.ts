import { StorageError, type Entry, type Revision } from '../../storage.ts';
import type { Commit } from '../table.ts';
import type { OpeningProgress } from '../lmdb/opening-progress.ts';
import { readGroup, type FoundRecord } from './log-record.ts';
import { Overlay } from './overlay.ts';

/**
 * Applies the log's records over the tables, whose newest revision is `revision`.
 * @throws StorageError 'corrupt' when the log doesn't continue where the tables end
 */
export function overlayOf(
  below: (key: string) => Entry | undefined,
  records: readonly FoundRecord[],
  revision: Revision,
  progress?: OpeningProgress,
): Overlay {
  const overlay = new Overlay(below);
  let newest = revision;
  for (const [index, { sequence, content }] of records.entries()) {
    progress?.at('going through the log', index, records.length);
    const commits: Commit[] = [];
    const written = new Map<string, Commit['events'][number]>();
    const leases = readGroup(
      content,
      (key) => {
        const event = written.get(key);
        if (event === undefined) return overlay.get(key);
        return event.type === 'put' ? event.entry : undefined;
      },
      (commit) => {
        if (commit.revision !== ++newest) throw misfit(newest, commit.revision);
        for (const event of commit.events) written.set(event.entry.key, event);
        commits.push(commit);
      },
    );
    overlay.add(sequence, { commits, leases });
  }
  return overlay;
}

const misfit = (wanted: Revision, found: Revision): StorageError =>
  new StorageError(
    'corrupt',
    `the log does not continue where the tables end: expected revision ${wanted}, found ${found}`,
  );
