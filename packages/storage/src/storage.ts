/**
 * What the API server asks of a store: etcd's semantics in five verbs. Every engine passes the suite in
 * `suite/`. Revisions are one counter for the whole store; `modRevision` is the resourceVersion.
 */
import type { StepObserver } from '@coxswain/apimachinery';

export type Revision = number;

/** One stored value. Entries are immutable; whoever keeps `value` may rely on its bytes. */
export interface Entry {
  readonly key: string;
  readonly value: Uint8Array;
  readonly createRevision: Revision;
  readonly modRevision: Revision;
  /** Writes since the key was created; 1 at creation. */
  readonly version: number;
  readonly leaseId?: LeaseId;
  /**
   * The decoded object that was encoded into `value`, when the writer handed it over. It saves the cache
   * the decoding, is never stored, and must not be modified. Absent after a restart.
   */
  readonly decoded?: unknown;
  /** What is stored is not what was written: `value`, and all else but `key`, may be anything. */
  readonly isDamaged?: true;
}

export type LeaseId = bigint;

export interface Event {
  readonly type: 'put' | 'delete';
  /** For a delete: the entry as it was, with `modRevision` of the delete. */
  readonly entry: Entry;
  /** What stood there before. Absent for a creation. */
  readonly previous?: Entry;
}

/** All keys `k` with `start <= k < end`. */
export interface KeyRange {
  readonly start: string;
  readonly end: string;
}

export interface ListOptions {
  /** Read as of this revision; newest when absent. */
  readonly revision?: Revision;
  readonly limit?: number;
  /** Only `more` is wanted: a store that would have to go through the whole range may give any `count` beyond the page. */
  readonly isCountless?: boolean;
}

export interface Page {
  readonly entries: readonly Entry[];
  readonly revision: Revision;
  /** Whether the range goes on after the last entry. */
  readonly more: boolean;
  /** Entries in the whole range, at `revision`. */
  readonly count: number;
}

export type Change =
  | {
      readonly kind: 'put';
      readonly value: Uint8Array;
      readonly decoded?: unknown;
      readonly ttlSeconds?: number;
    }
  | { readonly kind: 'delete' }
  /** Leave it as it is; `update` resolves with the current entry. */
  | { readonly kind: 'keep' };

export interface UpdateOptions {
  readonly observer?: StepObserver | undefined;
  readonly signal?: AbortSignal;
  /**
   * What the caller believes is stored. If it still is, `change` gets this entry (with its `decoded`)
   * first; a remote store then saves a read, since it notices at the write when it is outdated.
   */
  readonly expected?: Entry;
  /** Instead of `expected`: the caller believes that nothing is stored. */
  readonly expectsNone?: boolean;
  /** What is stored and can't be decrypted is handed over as damaged, to be deleted; an error otherwise. */
  readonly toleratesUnreadable?: boolean;
}

export interface Storage {
  /** The newest revision. */
  revision(): Promise<Revision>;
  get(key: string, options?: { readonly revision?: Revision }): Promise<Entry | undefined>;
  /** One page, all of it at one revision. */
  list(range: KeyRange, options?: ListOptions): Promise<Page>;
  /**
   * Calls `change` with what is stored and carries out what it returns, unless somebody wrote in
   * between: then it asks again with the newer entry. `change` is synchronous where it can be; an
   * asynchronous one sees the newer entry if it lost the race. What `change` throws is thrown here, and
   * nothing is written. Resolves after the write is durable, with the entry written (for a delete: the
   * deleted entry with the delete's revision; undefined when there was nothing to delete or keep).
   * @throws StorageError 'too-large' | 'unavailable' | 'closed'
   */
  update(
    key: string,
    change: (current: Entry | undefined) => Change | Promise<Change>,
    options?: UpdateOptions,
  ): Promise<Entry | undefined>;
  /**
   * Every event in `range` after revision `after`, in order, in batches of one or more whole revisions.
   * Ends by throwing StorageError 'compacted' when `after` is older than what is kept, 'closed' when the
   * store closes, and silently when `signal` aborts. An empty batch with a revision is a progress mark.
   */
  watch(range: KeyRange, after: Revision, signal: AbortSignal): AsyncIterable<EventBatch>;
  /** Forgets all superseded entries up to and including `revision`. */
  compact(revision: Revision): Promise<void>;
  /** Leaves nothing half done; further calls throw 'closed'. */
  close(): Promise<void>;
}

export interface EventBatch {
  /** All events up to and including this revision have been delivered. */
  readonly revision: Revision;
  readonly events: readonly Event[];
}

export type StorageErrorKind =
  | 'compacted'
  | 'future-revision'
  | 'too-large'
  /** The quota is reached: deletes, reads and compaction still work. */
  | 'no-space'
  | 'unavailable'
  | 'locked'
  | 'corrupt'
  /** A value can't be encrypted or decrypted. */
  | 'encryption'
  | 'closed'
  | 'no-key'
  | 'no-lease'
  | 'lease-exists';

export class StorageError extends Error {
  readonly kind: StorageErrorKind;
  /** For 'compacted': the oldest revision that can be read. */
  readonly revision?: Revision;

  constructor(kind: StorageErrorKind, message: string, options?: { revision?: Revision; cause?: unknown }) {
    super(message, { cause: options?.cause });
    this.name = 'StorageError';
    this.kind = kind;
    if (options?.revision !== undefined) this.revision = options.revision;
  }
}

export const closedError = (): StorageError => new StorageError('closed', 'the store is closed');

/** The store holds again what it held when `snapshot` was taken, as a new revision without a past. */
export class StoreReset extends StorageError {
  readonly snapshot: object;

  constructor(snapshot: object, revision: Revision) {
    super('compacted', 'the store was reset to a snapshot', { revision });
    this.name = 'StoreReset';
    this.snapshot = snapshot;
  }
}

/**
 * What a store in this process can do besides: it knows its revision without asking anybody, and calls
 * its subscribers in the turn in which a write becomes durable, before the writer hears of it. So whoever
 * follows a `LocalStorage` is never behind, and a consistent read costs nothing.
 */
export interface LocalStorage extends Storage {
  readonly currentRevision: Revision;
  /** What was before this one is forgotten. */
  readonly compactedRevision: Revision;
  /** What keeps it from storing as it should, though reads and writes may go on; undefined: nothing. */
  readonly problem?: string | undefined;
  /** @throws nothing: what is compacted already ends the subscription through `onEnd`. */
  subscribe(range: KeyRange, after: Revision, subscriber: Subscriber): Subscription;
}

export interface Subscriber {
  onEvents(batch: EventBatch): void;
  /**
   * A snapshot is taken of what the subscriber has been told so far. What it keeps beside the snapshot now,
   * it may take up again when {@link onEnd} tells of a {@link StoreReset} to it.
   */
  onSnapshot?(snapshot: object): void;
  /** What was before this revision is forgotten from now on. */
  onCompaction?(revision: Revision): void;
  /**
   * Called once, when the store is closed ('closed'), was reset ({@link StoreReset}), or no longer knows the
   * past ('compacted').
   */
  onEnd(reason: Error): void;
}

export interface Subscription {
  cancel(): void;
}

/** A store behind a network, which tells how far it is when it is asked to. */
export interface RemoteStorage extends Storage {
  /** Whether its progress marks may be trusted; else what is to be the newest is read from the store itself. */
  reportsProgress(): Promise<boolean>;
  /** What was before this one is forgotten, as far as this server has been told; 0 at first. */
  readonly compactedRevision: Revision;
  /** Makes the open watches of this range yield a progress mark soon. */
  requestProgress(range: KeyRange): void;
}

export const isLocal = (storage: Storage): storage is LocalStorage => 'currentRevision' in storage;

export const canReportProgress = (storage: Storage): storage is RemoteStorage => 'requestProgress' in storage;

/** The range of all keys that begin with `prefix`. */
export function prefixRange(prefix: string): KeyRange {
  const last = prefix.length - 1;
  const code = prefix.charCodeAt(last);
  const end = code < 0x7f ? prefix.slice(0, last) + String.fromCharCode(code + 1) : `${prefix}\u{10ffff}`;
  return { start: prefix, end };
}
