/**
 * The API server's interface to a store: etcd's semantics in five verbs. Every engine passes the suite in `suite/`.
 * Revisions are one counter for the whole store; `modRevision` is the resourceVersion.
 */
import type { StepObserver } from '@coxswain/apimachinery';

export type Revision = number;

/** One stored value. Entries are immutable; `value` may be retained. */
export interface Entry {
  readonly key: string;
  readonly value: Uint8Array;
  readonly createRevision: Revision;
  readonly modRevision: Revision;
  /** The number of writes since the key was created; 1 at creation. */
  readonly version: number;
  readonly leaseId?: LeaseId;
  /**
   * The decoded object of `value`, if the writer supplied it. It saves the cache the decoding, is never stored, and
   * must not be modified. Absent after a restart.
   */
  readonly decoded?: unknown;
  /** The stored data differ from what was written: `value`, and everything else but `key`, may be anything. */
  readonly isDamaged?: true;
}

export type LeaseId = bigint;

export interface Event {
  readonly type: 'put' | 'delete';
  /** For a delete: the last entry, with the `modRevision` of the delete. */
  readonly entry: Entry;
  /** The previous entry. Absent for a creation. */
  readonly previous?: Entry;
}

/** All keys `k` with `start <= k < end`. */
export interface KeyRange {
  readonly start: string;
  readonly end: string;
}

export interface ListOptions {
  /** The revision to read; the newest if unset. */
  readonly revision?: Revision;
  readonly limit?: number;
  /** Only `more` is needed: a store that would have to scan the whole range may return any `count` beyond the page. */
  readonly isCountless?: boolean;
}

export interface Page {
  readonly entries: readonly Entry[];
  readonly revision: Revision;
  /** Whether the range continues after the last entry. */
  readonly more: boolean;
  /** The number of entries in the whole range at `revision`. */
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
  /** Leaves it unchanged; `update` resolves with the current entry. */
  | { readonly kind: 'keep' };

export interface UpdateOptions {
  readonly observer?: StepObserver | undefined;
  readonly signal?: AbortSignal;
  /**
   * The entry that the caller believes to be current. If it is, `change` gets this entry (with its `decoded`) first; a
   * remote store thereby saves a read, since it notices an outdated one at the write.
   */
  readonly expected?: Entry;
  /** Instead of `expected`: the caller believes that nothing is stored. */
  readonly expectsNone?: boolean;
  /** An entry that can't be decrypted is passed on as damaged, so that it can be deleted; otherwise it is an error. */
  readonly toleratesUnreadable?: boolean;
}

export interface Storage {
  /** The newest revision. */
  revision(): Promise<Revision>;
  get(key: string, options?: { readonly revision?: Revision }): Promise<Entry | undefined>;
  /** One page, all of it at one revision. */
  list(range: KeyRange, options?: ListOptions): Promise<Page>;
  /**
   * Calls `change` with the stored entry and executes its result, unless another write came in between: then it calls
   * it again with the newer entry. `change` is synchronous if possible; an asynchronous one is called again if it lost
   * the race. Errors of `change` are thrown here, and nothing is written. Resolves after the write is durable, with the
   * written entry (for a delete: the deleted entry with the delete's revision; undefined when there was nothing to
   * delete or keep).
   * @throws StorageError 'too-large' | 'unavailable' | 'closed'
   */
  update(
    key: string,
    change: (current: Entry | undefined) => Change | Promise<Change>,
    options?: UpdateOptions,
  ): Promise<Entry | undefined>;
  /**
   * Every event in `range` after revision `after`, in order, in batches of one or more whole revisions. Ends by
   * throwing StorageError 'compacted' when `after` is older than the history, 'closed' when the store closes, and
   * silently when `signal` aborts. An empty batch with a revision is a progress notification.
   */
  watch(range: KeyRange, after: Revision, signal: AbortSignal): AsyncIterable<EventBatch>;
  /** Drops all superseded entries up to and including `revision`. */
  compact(revision: Revision): Promise<void>;
  /** Completes pending work; further calls throw 'closed'. */
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

/** The store has again the content of `snapshot`, as a new revision without history. */
export class StoreReset extends StorageError {
  readonly snapshot: object;

  constructor(snapshot: object, revision: Revision) {
    super('compacted', 'the store was reset to a snapshot', { revision });
    this.name = 'StoreReset';
    this.snapshot = snapshot;
  }
}

/**
 * The additional abilities of an in-process store: it knows its revision synchronously, and calls its subscribers in
 * the turn in which a write becomes durable, before the writer is notified. So followers of a `LocalStorage` are never
 * behind, and a consistent read costs nothing.
 */
export interface LocalStorage extends Storage {
  readonly currentRevision: Revision;
  /** Older revisions have been compacted. */
  readonly compactedRevision: Revision;
  /** A problem that keeps it from working properly, though reads and writes may continue; undefined for none. */
  readonly problem?: string | undefined;
  /** @throws nothing: if `after` is already compacted, the subscription ends through `onEnd`. */
  subscribe(range: KeyRange, after: Revision, subscriber: Subscriber): Subscription;
}

export interface Subscriber {
  onEvents(batch: EventBatch): void;
  /**
   * A snapshot is taken of everything that the subscriber has received so far. State that it keeps with the snapshot
   * can be used again when {@link onEnd} reports a {@link StoreReset} to it.
   */
  onSnapshot?(snapshot: object): void;
  /** Older revisions are compacted from now on. */
  onCompaction?(revision: Revision): void;
  /**
   * Called once, when the store is closed ('closed'), was reset ({@link StoreReset}), or no longer has the history
   * ('compacted').
   */
  onEnd(reason: Error): void;
}

export interface Subscription {
  cancel(): void;
}

/** A store behind a network, which reports its progress on request. */
export interface RemoteStorage extends Storage {
  /** Whether its progress notifications are reliable; if not, the newest state is read from the store itself. */
  reportsProgress(): Promise<boolean>;
  /** Older revisions have been compacted, as far as this server knows; 0 at first. */
  readonly compactedRevision: Revision;
  /** Makes the open watches of this range yield a progress notification soon. */
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
