/**
 * etcd's complete data model as an in-process engine: ranges with all options, transactions of many operations at one
 * revision, leases. `EngineStorage` implements the five verbs of `Storage` with it, and the etcd server offers it over
 * the network.
 *
 * Keys are byte strings: every character is one byte (0–255), so that they sort as in etcd. ASCII is the same in both
 * worlds; `key-bytes.ts` translates the rest.
 *
 * Reads are synchronous and show durable data only. Transactions are decided immediately, in the order of the calls,
 * against everything decided before them (durable or not), and their promises resolve when they are durable. So a
 * reader can never see a write that a power failure would undo.
 */
import type { Entry, EventBatch, KeyRange, LeaseId, Revision, Subscriber, Subscription } from '../storage.ts';
import type { TableView, Alarm } from './table.ts';

export interface Engine {
  /** The newest durable revision; 1 in an empty store. */
  readonly revision: Revision;
  /** Reads at older revisions are refused. */
  readonly compactedRevision: Revision;
  /** Bytes on disk (or in memory), and how many of them are in use, if the engine knows. */
  size(): { readonly totalBytes: number; readonly usedBytes: number };
  /** @throws StorageError 'compacted' | 'future-revision' | 'closed' */
  mustBeReadable(revision: Revision): void;
  /** @throws StorageError as {@link mustBeReadable} */
  get(key: string, revision?: Revision): Entry | undefined;
  /** The entries of `range` in ascending order of keys. @throws StorageError as {@link get} */
  range(range: KeyRange, options?: RangeOptions): RangeResult;
  /** The value that the next transaction will find under `key`: newer than {@link get} while writes are in progress. */
  latest(key: string): Entry | undefined;
  /** @throws StorageError 'too-large' | 'unavailable' | 'closed' | 'no-lease' | 'no-space' */
  transact(transaction: Transaction): Promise<TransactionResult>;
  /**
   * Calls `listener` for every batch of events in `range` after revision `after`: first the past ones, then each in the
   * turn in which it becomes durable, before its writer is notified. `onEnd` is called once when the subscription ends:
   * the store was closed or reset, or `after` is compacted.
   */
  subscribe(range: KeyRange, after: Revision, subscriber: Subscriber): Subscription;
  /** All events in `range` with `after < revision <= until`, oldest first. @throws StorageError 'compacted' */
  history(range: KeyRange, after: Revision, until?: Revision): readonly EventBatch[];
  compact(revision: Revision): Promise<void>;
  readonly leases: EngineLeases;
  /** Conditions that need an operator's attention; they survive restarts. */
  readonly alarms: EngineAlarms;
  /** Returns space freed by compaction to the disk. Reads and writes continue meanwhile. */
  defragment(): Promise<void>;
  /**
   * The whole current state in chunks, with a checksum at the end (`snapshot/snapshot-format.ts`). Reads and writes
   * continue meanwhile. `restoreSnapshot` makes a store of it.
   */
  snapshot(): AsyncIterable<Uint8Array>;
  /** The whole current state with its history, for writing it in another form. Must be released. */
  view(): TableView;
  /** Equal for stores with the same state at `revision` (the newest if unset). @throws as {@link get} */
  hashKv(revision?: Revision): number;
  close(): Promise<void>;
}

export interface RangeOptions {
  readonly revision?: Revision;
  readonly limit?: number;
  /** Returns only `count`; `entries` stays empty. */
  readonly countOnly?: boolean;
  /** `count` only has to show whether there are more entries. */
  readonly isCountless?: boolean;
}

export interface RangeResult {
  readonly entries: readonly Entry[];
  readonly revision: Revision;
  readonly count: number;
}

/** If all `compares` hold, `success` is executed, otherwise `failure`. */
export interface Transaction {
  readonly compares?: readonly Compare[];
  readonly success: readonly Operation[];
  readonly failure?: readonly Operation[];
}

export type CompareTarget =
  | { readonly field: 'version' | 'createRevision' | 'modRevision'; readonly value: number }
  | { readonly field: 'lease'; readonly value: LeaseId }
  | { readonly field: 'value'; readonly value: Uint8Array };

/** Holds when every entry of `range` has the `relation` to the target. A missing entry counts as zeros. */
export interface Compare {
  readonly range: KeyRange | { readonly key: string };
  readonly relation: 'equal' | 'not-equal' | 'greater' | 'less';
  readonly target: CompareTarget;
}

export interface PutOperation {
  readonly kind: 'put';
  readonly key: string;
  /** Absent: keeps the stored value; the key must exist then. */
  readonly value?: Uint8Array;
  /** Absent: no lease. 'keep': the stored one. */
  readonly leaseId?: LeaseId | 'keep';
  readonly decoded?: unknown;
}

export type Operation =
  | PutOperation
  | { readonly kind: 'delete'; readonly range: KeyRange | { readonly key: string } }
  | {
      readonly kind: 'range';
      readonly range: KeyRange | { readonly key: string };
      readonly options?: RangeOptions;
    }
  | { readonly kind: 'transaction'; readonly transaction: Transaction };

export type OperationResult =
  | { readonly kind: 'put'; readonly entry: Entry; readonly previous: Entry | undefined }
  | { readonly kind: 'delete'; readonly deleted: readonly Entry[] }
  | ({ readonly kind: 'range' } & RangeResult)
  | { readonly kind: 'transaction'; readonly result: TransactionResult };

export interface TransactionResult {
  readonly succeeded: boolean;
  /** The transaction's own revision if it wrote, otherwise the newest one it saw. */
  readonly revision: Revision;
  readonly results: readonly OperationResult[];
}

export interface Lease {
  readonly id: LeaseId;
  /** The requested time to live. */
  readonly ttlSeconds: number;
  /** On `Clock.monotonic()`, so that adjusting the machine's clock doesn't affect leases. */
  readonly expiresAtMs: number;
}

export interface EngineAlarms {
  list(): readonly Alarm[];
  raise(alarm: Alarm): Promise<void>;
  /** While the store exceeds its quota, the next write raises 'NOSPACE' again. */
  disarm(alarm: Alarm): Promise<void>;
}

export interface EngineLeases {
  get(id: LeaseId): Lease | undefined;
  all(): readonly Lease[];
  keys(id: LeaseId): readonly string[];
  /** @throws StorageError 'lease-exists' */
  grant(id: LeaseId, ttlSeconds: number): Promise<Lease>;
  /** Restarts the time to live. @throws StorageError 'no-lease' */
  renew(id: LeaseId): Lease;
  /** Deletes the lease and its keys, at one revision. @throws StorageError 'no-lease' */
  revoke(id: LeaseId): Promise<void>;
}
