/**
 * The whole of etcd's data model, as an engine in this process offers it: ranges with all options,
 * transactions of many operations at one revision, leases. `EngineStorage` makes the five verbs of
 * `Storage` out of it, the etcd face serves it to the network.
 *
 * Keys are byte strings: every character is one byte (0–255), so that they sort as etcd sorts them. What
 * is ASCII is the same in both worlds; `key-bytes.ts` translates the rest.
 *
 * Reads are synchronous and show what is durable. Transactions are decided at once, in the order of the
 * calls, against everything decided before them (durable or not), and their promises resolve when they
 * are durable. A reader can therefore never see a write that a power loss would undo.
 */
import type { Entry, EventBatch, KeyRange, LeaseId, Revision, Subscriber, Subscription } from '../storage.ts';
import type { TableView, Alarm } from './table.ts';

export interface Engine {
  /** The newest durable revision; 1 in an empty store. */
  readonly revision: Revision;
  /** Reads at older revisions are refused. */
  readonly compactedRevision: Revision;
  /** Bytes on disk (or in memory), and those of them in use, as far as the engine knows. */
  size(): { readonly totalBytes: number; readonly usedBytes: number };
  /** @throws StorageError 'compacted' | 'future-revision' | 'closed' */
  get(key: string, revision?: Revision): Entry | undefined;
  /** Entries of `range`, ascending by key. @throws StorageError as {@link get} */
  range(range: KeyRange, options?: RangeOptions): RangeResult;
  /** What the next transaction will find under `key`: newer than {@link get} while writes are under way. */
  latest(key: string): Entry | undefined;
  /** @throws StorageError 'too-large' | 'unavailable' | 'closed' | 'no-lease' | 'no-space' */
  transact(transaction: Transaction): Promise<TransactionResult>;
  /**
   * Calls `listener` for every batch of events in `range` after revision `after`, first those that
   * happened already, then each in the turn in which it becomes durable, before its writer hears of it.
   * `onEnd` is called once when that is over: the store was closed or reset, or `after` is compacted.
   */
  subscribe(range: KeyRange, after: Revision, subscriber: Subscriber): Subscription;
  /** All events in `range` with `after < revision <= until`, oldest first. @throws StorageError 'compacted' */
  history(range: KeyRange, after: Revision, until?: Revision): readonly EventBatch[];
  compact(revision: Revision): Promise<void>;
  readonly leases: EngineLeases;
  /** What an operator has to look at; kept over restarts. */
  readonly alarms: EngineAlarms;
  /** Gives space that compaction freed back to the disk. Reads and writes go on meanwhile. */
  defragment(): Promise<void>;
  /**
   * All that is stored at this moment, in chunks, with a checksum at the end (`snapshot/snapshot-format.ts`).
   * Reads and writes go on meanwhile. `restoreSnapshot` makes a store of it.
   */
  snapshot(): AsyncIterable<Uint8Array>;
  /** All of it as it is now, with its past, for who writes it in another form. To be released. */
  view(): TableView;
  /** Equal for stores that hold the same at `revision` (the newest when absent). @throws as {@link get} */
  hashKv(revision?: Revision): number;
  close(): Promise<void>;
}

export interface RangeOptions {
  readonly revision?: Revision;
  readonly limit?: number;
  /** Only `count` is wanted; `entries` stays empty. */
  readonly countOnly?: boolean;
  /** `count` need only tell whether there is more. */
  readonly isCountless?: boolean;
}

export interface RangeResult {
  readonly entries: readonly Entry[];
  readonly revision: Revision;
  readonly count: number;
}

/** One value compared: all of `compares` must hold for `success`, else `failure` is carried out. */
export interface Transaction {
  readonly compares?: readonly Compare[];
  readonly success: readonly Operation[];
  readonly failure?: readonly Operation[];
}

export type CompareTarget =
  | { readonly field: 'version' | 'createRevision' | 'modRevision'; readonly value: number }
  | { readonly field: 'lease'; readonly value: LeaseId }
  | { readonly field: 'value'; readonly value: Uint8Array };

/** Holds when every entry of `range` stands in `relation` to the target. Nothing stored counts as zeros. */
export interface Compare {
  readonly range: KeyRange | { readonly key: string };
  readonly relation: 'equal' | 'not-equal' | 'greater' | 'less';
  readonly target: CompareTarget;
}

export interface PutOperation {
  readonly kind: 'put';
  readonly key: string;
  /** Absent: keep the stored value. The key must exist then. */
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
  /** The transaction's own revision if it wrote, else the newest one it saw. */
  readonly revision: Revision;
  readonly results: readonly OperationResult[];
}

export interface Lease {
  readonly id: LeaseId;
  /** What was asked for. */
  readonly ttlSeconds: number;
  /** On `Clock.monotonic()`: setting the machine's clock makes no lease end sooner or later. */
  readonly expiresAtMs: number;
}

export interface EngineAlarms {
  list(): readonly Alarm[];
  raise(alarm: Alarm): Promise<void>;
  /** While the store is above its quota, the next write raises 'NOSPACE' again. */
  disarm(alarm: Alarm): Promise<void>;
}

export interface EngineLeases {
  get(id: LeaseId): Lease | undefined;
  all(): readonly Lease[];
  keys(id: LeaseId): readonly string[];
  /** @throws StorageError 'lease-exists' */
  grant(id: LeaseId, ttlSeconds: number): Promise<Lease>;
  /** Sets the time to live anew. @throws StorageError 'no-lease' */
  renew(id: LeaseId): Lease;
  /** Deletes the lease and its keys, at one revision. @throws StorageError 'no-lease' */
  revoke(id: LeaseId): Promise<void>;
}
