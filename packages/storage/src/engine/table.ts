import type { Entry, EventBatch, KeyRange, Revision } from '../storage.ts';
import type { Commit, Lease } from './engine.ts';
import type { LeaseId } from '../storage.ts';

/**
 * What keeps an engine's data: the newest entry of each key and what each revision replaced. A table
 * decides nothing; `MvccEngine` does.
 */
export interface Table {
  /** What is stored, besides entries and events. */
  readonly opened: {
    readonly revision: Revision;
    readonly compactedRevision: Revision;
    readonly leases: readonly Lease[];
    readonly leasedKeys: readonly { readonly id: LeaseId; readonly key: string }[];
  };
  /** Longer keys cannot be stored. */
  readonly keyBytesMax: number;
  get(key: string): Entry | undefined;
  /** Ascending; `visit` returns false to stop. */
  scan(range: KeyRange, visit: (entry: Entry) => boolean | void): void;
  count(range: KeyRange): number;
  /** The events in `range` with `after < revision <= until`, oldest first, empty revisions left out. */
  history(range: KeyRange, after: Revision, until: Revision): EventBatch[];
  /**
   * Stores all of it or nothing. Undefined when that is done and durable on return; else resolves when it
   * is. In between, reads may show either state.
   */
  commit(group: CommitGroup): Promise<void> | undefined;
  /** Drops the events before `revision`. */
  compact(revision: Revision): Promise<void> | undefined;
  size(): { readonly totalBytes: number; readonly usedBytes: number };
  close(): Promise<void>;
}

/** Commits that become durable together. */
export interface CommitGroup {
  readonly commits: readonly Commit[];
  readonly leases: readonly LeaseChange[];
}

export type LeaseChange =
  | { readonly kind: 'set'; readonly lease: Lease }
  | { readonly kind: 'remove'; readonly id: LeaseId };
