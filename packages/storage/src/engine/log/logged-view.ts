import type { Entry } from '../../storage.ts';
import type { LeaseChange, LogRecord, StoredLease, TableView } from '../table.ts';
import type { Overlay } from './overlay.ts';

/**
 * The current tables with the log's content over them, unaffected by later writes. `mustBeOpen` throws when the store
 * was closed in the meantime.
 */
export function loggedView(view: TableView, overlay: Overlay, mustBeOpen: () => void): TableView {
  const changes = overlay.changes();
  // Records that were just moved into the tables may be in both.
  const records = overlay.records().filter(({ revision }) => revision > view.revision);
  return {
    revision: records.at(-1)?.revision ?? view.revision,
    compactedRevision: view.compactedRevision,
    leases: changedLeases(view.leases, overlay.leaseChanges()),
    entries: () => whileOpen(merged(view.entries(), changes), mustBeOpen),
    records: () => whileOpen(both(view.records(), records), mustBeOpen),
    release: () => view.release(),
  };
}

export interface StoreCounts {
  readonly entries: number;
  /** Changes in the history. */
  readonly records: number;
  readonly leases: number;
}

/** What the tables contain together with the log's content over them. */
export const loggedCounts = (
  tables: Pick<StoreCounts, 'entries' | 'records'>,
  leases: readonly StoredLease[],
  logged: Overlay | undefined,
): StoreCounts => ({
  entries: tables.entries + (logged?.countMore(everything) ?? 0),
  records: tables.records + (logged?.records().length ?? 0),
  leases: changedLeases(leases, logged?.leaseChanges() ?? []).length,
});

const everything = { start: '', end: '\u{10ffff}' };

export function changedLeases(
  leases: readonly StoredLease[],
  changes: readonly LeaseChange[],
): readonly StoredLease[] {
  if (changes.length === 0) return leases;
  const all = new Map(leases.map((lease) => [lease.id, lease]));
  for (const change of changes) {
    if (change.kind === 'set') all.set(change.lease.id, change.lease);
    else all.delete(change.id);
  }
  return [...all.values()];
}

function* merged(
  entries: Iterable<Entry>,
  changes: readonly (readonly [key: string, entry: Entry | undefined])[],
): Generator<Entry, void, void> {
  let next = 0;
  for (const entry of entries) {
    for (; next < changes.length && changes[next]![0] < entry.key; next++) {
      const added = changes[next]![1];
      if (added !== undefined) yield added;
    }
    const isChanged = changes[next]?.[0] === entry.key;
    const newest = isChanged ? changes[next++]![1] : entry;
    if (newest !== undefined) yield newest;
  }
  for (const [, added] of changes.slice(next)) if (added !== undefined) yield added;
}

function* whileOpen<T>(all: Iterable<T>, mustBeOpen: () => void): Generator<T, void, void> {
  for (const one of all) {
    mustBeOpen();
    yield one;
  }
}

function* both(first: Iterable<LogRecord>, second: readonly LogRecord[]): Generator<LogRecord, void, void> {
  yield* first;
  yield* second;
}
