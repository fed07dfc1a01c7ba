import type { Entry, Event, EventBatch, KeyRange, LeaseId, Revision } from '../storage.ts';

/**
 * The storage of an engine's data: the newest entry of each key and what each revision replaced. A table decides
 * nothing; `MvccEngine` does.
 */
export interface Table {
  /** The stored state besides entries and events. */
  readonly opened: {
    readonly revision: Revision;
    readonly compactedRevision: Revision;
    readonly leases: readonly StoredLease[];
    readonly leasedKeys: readonly { readonly id: LeaseId; readonly key: string }[];
    readonly alarms: readonly Alarm[];
  };
  /** Longer keys cannot be stored. */
  readonly keyBytesMax: number;
  get(key: string): Entry | undefined;
  /** In ascending order; `visit` returns false to stop. */
  scan(range: KeyRange, visit: (entry: Entry) => boolean | void): void;
  count(range: KeyRange): number;
  /** The events in `range` with `after < revision <= until`, oldest first, empty revisions left out. */
  history(range: KeyRange, after: Revision, until: Revision): EventBatch[];
  /**
   * Resolves when everything that arrived in one turn of the process is there, to be stored as one group. Absent when a
   * group costs no less than its commits.
   */
  gather?(): Promise<void>;
  /**
   * Stores all of it or nothing. Returns undefined when it is durable on return; otherwise resolves when it is. In
   * between, reads may show either state.
   */
  commit(group: CommitGroup): Promise<void> | undefined;
  setAlarms(alarms: readonly Alarm[]): Promise<void> | undefined;
  /** Drops the events before `revision`. */
  compact(revision: Revision): Promise<void> | undefined;
  /** Releases unused space. Reads and commits continue. */
  defragment(): Promise<void> | undefined;
  /** The whole current state, unaffected by later writes. Must be released. */
  view(): TableView;
  /** A problem that keeps it from working properly, for operators; undefined for none. */
  readonly problem?: string | undefined;
  /** The memory used by history, if it is in memory. */
  readonly historyBytes?: number;
  size(): { readonly totalBytes: number; readonly usedBytes: number };
  close(): Promise<void>;
}

/** Commits that become durable together. */
export interface CommitGroup {
  readonly commits: readonly Commit[];
  readonly leases: readonly LeaseChange[];
}

/** A lease outlives the process, whose monotonic clock does not, so its expiry is a time of day. */
export interface StoredLease {
  readonly id: LeaseId;
  readonly ttlSeconds: number;
  /** On `Clock.now()`. */
  readonly expiresAtUnixMs: number;
}

export type LeaseChange =
  | { readonly kind: 'set'; readonly lease: StoredLease }
  | { readonly kind: 'remove'; readonly id: LeaseId };

/** One change of one key with what it replaced: the new value is what the next change replaced, or the current one. */
export interface LogRecord {
  readonly revision: Revision;
  readonly key: string;
  readonly type: 'put' | 'delete';
  readonly previous: Entry | undefined;
}

export interface TableView {
  readonly revision: Revision;
  readonly compactedRevision: Revision;
  readonly leases: readonly StoredLease[];
  /** Ascending by key. */
  entries(): Iterable<Entry>;
  /** Oldest first, within a revision in the order of its operations. */
  records(): Iterable<LogRecord>;
  release(): void;
}

/** 'NOSPACE': the store has reached its quota and refuses writes until the alarm is disarmed, as in etcd. */
export type Alarm = 'NOSPACE' | 'CORRUPT';

/** The changes of one revision, as a table stores them. */
export interface Commit {
  readonly revision: Revision;
  readonly events: readonly Event[];
}
