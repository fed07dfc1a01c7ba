import { here, runStep, scopeOf, type Clock, type StepObserver } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import {
  StorageError,
  type Entry,
  type Event,
  type EventBatch,
  type KeyRange,
  type LeaseId,
  type Revision,
  type Subscriber,
  type Subscription,
} from '../storage.ts';
import type {
  Engine,
  EngineAlarms,
  EngineLeases,
  Lease,
  RangeOptions,
  RangeResult,
  Transaction,
  TransactionResult,
} from './engine.ts';
import type { Alarm, Commit, LeaseChange, Table, TableView } from './table.ts';
import { fromByteString } from '../key-bytes.ts';
import { compactPeriodically } from './compact-periodically.ts';
import { crc32 } from './crc32.ts';
import { evaluate, type Decision, type CommittedState } from './evaluate.ts';
import { GroupCommit, type Staged } from './group-commit.ts';
import { Lessor } from './lessor.ts';
import { PendingWrites } from './pending-writes.ts';
import { encodeSnapshot } from './snapshot/snapshot-format.ts';
import { mayPut, noSpace, SpaceQuota } from './space-quota.ts';
import { WatchHub } from './watch-hub.ts';

export interface EngineOptions {
  readonly clock: Clock;
  /** The maximum size of a value. etcd's default is for a whole request. */
  readonly valueBytesMax?: number;
  /** How much history is kept; etcd under Kubernetes keeps 5 minutes. 0: until it is compacted explicitly. */
  readonly historyMsMax?: number;
  /** The maximum number of revisions kept, however short the time. */
  readonly historyRevisionsMax?: number;
  /** The maximum bytes of history in memory. Unlimited if unset. */
  readonly historyBytesMax?: number;
  /** The size at which writes are refused (alarm NOSPACE). 0, the default: limited only by the disk. */
  readonly quotaBytes?: number;
  /** Sees what the engine does on its own: leases that expire, compactions. */
  readonly observer?: StepObserver | undefined;
}

const valueBytesMaxDefault = 1.5 * 1024 * 1024;
const historyMsMaxDefault = 5 * 60 * 1000;
const historyRevisionsMaxDefault = 500_000;

/** The fraction of history that is dropped at once when it has grown too large. */
const forgottenShare = 1 / 8;

/**
 * Decides transactions, numbers them, makes them durable in groups and notifies watchers: everything that is
 * independent of the {@link Table}.
 *
 * The path of a transaction: `transact` decides it against everything decided before and gives it the next revision →
 * {@link GroupCommit} keeps it while the previous group is being stored, and then passes all waiting writes to the
 * table as one group (with one sync) → `#publish` makes its revision the newest, notifies the subscribers, and then its caller.
 */
export class MvccEngine implements Engine {
  readonly leases: EngineLeases;
  readonly alarms: EngineAlarms;
  readonly #clock: Clock;
  readonly #observer: StepObserver | undefined;
  readonly #valueBytesMax: number;
  readonly #historyBytesMax: number;
  #table: Table;
  #pending: PendingWrites;
  #hub = new WatchHub();
  readonly #lessor: Lessor;
  #revision: Revision;
  #decidedRevision: Revision;
  #compactedRevision: Revision;
  readonly #group: GroupCommit;
  #closed = false;
  /** A write has failed, and the leases do not reflect that yet. */
  #areLeasesStale = false;
  readonly #committed: CommittedState;
  readonly #compaction: { stop(): void };
  readonly #quota: SpaceQuota;
  #raised: readonly Alarm[];

  constructor(table: Table, options: EngineOptions) {
    this.#clock = options.clock;
    this.#observer = options.observer;
    this.#valueBytesMax = options.valueBytesMax ?? valueBytesMaxDefault;
    this.#historyBytesMax = options.historyBytesMax ?? Infinity;
    this.#table = table;
    this.#pending = new PendingWrites(table);
    this.#revision = this.#decidedRevision = table.opened.revision;
    this.#compactedRevision = table.opened.compactedRevision;
    this.#lessor = new Lessor(options.clock, table.opened, (leases) => this.#expire(leases));
    this.leases = {
      get: (id) => this.#lessor.get(id),
      all: () => this.#lessor.all(),
      keys: (id) => this.#lessor.keys(id),
      grant: (id, ttlSeconds) => this.#grant(id, ttlSeconds),
      renew: (id) => this.#renew(id),
      revoke: async (id) => void (await this.#revoke(id)),
    };
    this.#quota = new SpaceQuota(options.quotaBytes ?? 0, () => this.#table.size().totalBytes);
    this.#raised = table.opened.alarms;
    this.alarms = {
      list: () => this.#raised,
      raise: (alarm) => this.#setAlarms([...this.#raised.filter((other) => other !== alarm), alarm]),
      disarm: (alarm) => this.#setAlarms(this.#raised.filter((other) => other !== alarm)),
    };
    this.#committed = this.#committedState();
    this.#group = new GroupCommit({
      table: () => this.#table,
      stored: (group) => this.#publish(group),
      failed: (lost, cause) => this.#lose(lost, cause),
    });
    this.#compaction = compactPeriodically(this, options.clock, {
      ms: options.historyMsMax ?? historyMsMaxDefault,
      revisions: options.historyRevisionsMax ?? (options.historyMsMax === 0 ? 0 : historyRevisionsMaxDefault),
    });
  }

  get revision(): Revision {
    return this.#revision;
  }

  get compactedRevision(): Revision {
    return this.#compactedRevision;
  }

  /** A problem that keeps the store from working properly, though reads and writes may continue; undefined for none. */
  get problem(): string | undefined {
    return this.#table.problem;
  }

  size(): { totalBytes: number; usedBytes: number } {
    return this.#table.size();
  }

  mustBeReadable(revision: Revision): void {
    if (this.#closed) throw closed();
    if (revision > this.#revision) {
      throw new StorageError('future-revision', 'required revision is a future revision', {
        revision: this.#revision,
      });
    }
    if (revision < this.#compactedRevision) throw compacted(this.#compactedRevision);
  }

  get(key: string, revision?: Revision): Entry | undefined {
    if (revision === undefined || revision === this.#revision) {
      if (this.#closed) throw closed();
      return this.#pending.visible(key);
    }
    this.mustBeReadable(revision);
    const later = this.#table.history({ start: key, end: `${key}\0` }, revision, this.#revision)[0];
    return later === undefined ? this.#pending.visible(key) : later.events[0]!.previous;
  }

  range(range: KeyRange, options: RangeOptions = {}): RangeResult {
    const { revision = this.#revision } = options;
    this.mustBeReadable(revision);
    const changed = revision === this.#revision ? undefined : this.#changedSince(range, revision);
    if (changed !== undefined && changed.size > 0)
      return this.#rangeOfPast(range, options, changed, revision);
    const limit = options.countOnly ? 0 : (options.limit ?? Infinity);
    const entries: Entry[] = [];
    let more = false;
    this.#pending.scanVisible(range, (entry) => {
      more = entries.length >= limit;
      if (!more) entries.push(entry);
      return !more;
    });
    if (!more) return { entries, count: entries.length, revision };
    return {
      entries,
      count: options.isCountless ? entries.length + 1 : this.#pending.countVisible(range),
      revision,
    };
  }

  latest(key: string): Entry | undefined {
    if (this.#closed) throw closed();
    return this.#pending.latest(key);
  }

  async transact(transaction: Transaction): Promise<TransactionResult> {
    this.#mustDecide();
    const isGrowing = mayPut(transaction);
    if (isGrowing && this.#raised.includes('NOSPACE')) throw noSpace();
    const { result, events } = evaluate(transaction, this.#committed);
    this.#checkSizes(events);
    if (isGrowing && this.#quota.isExceededWith(events)) {
      // If there is no space even for the alarm, it is raised only while this process runs.
      await this.alarms.raise('NOSPACE').catch(() => undefined);
      throw noSpace();
    }
    if (events.length > 0) {
      await this.#group.store(this.#decided(events), undefined);
    } else if (this.#decidedRevision > this.#revision) {
      await this.#group.store(undefined, undefined);
    }
    return result;
  }

  subscribe(range: KeyRange, after: Revision, subscriber: Subscriber): Subscription {
    const past = this.#pastFor(range, after, subscriber);
    if (past === undefined) return { cancel: () => undefined };
    for (const batch of past) subscriber.onEvents(batch);
    return this.#hub.add(range, subscriber);
  }

  history(range: KeyRange, after: Revision, until: Revision = this.#revision): readonly EventBatch[] {
    if (this.#closed) throw closed();
    // The compacted revision itself is still known.
    if (after + 1 < this.#compactedRevision) throw compacted(this.#compactedRevision);
    return after >= until ? [] : this.#table.history(range, after, until);
  }

  async compact(revision: Revision): Promise<void> {
    this.mustBeReadable(revision);
    if (revision === this.#compactedRevision) throw compacted(this.#compactedRevision);
    const before = this.#compactedRevision;
    this.#compactedRevision = revision;
    this.#hub.notifyCompaction(revision);
    const drop = () => unavailableOnFailure('the past could not be dropped', this.#table.compact(revision));
    const newest = this.#revision;
    await runStep(this.#scope('compaction'), here`compact`, drop, { before, revision, newest }, this.compact);
    this.#quota.askAgain();
  }

  async defragment(): Promise<void> {
    if (this.#closed) throw closed();
    await unavailableOnFailure('the store could not be defragmented', this.#table.defragment());
    this.#quota.askAgain();
  }

  snapshot(): AsyncIterable<Uint8Array> {
    if (this.#closed) throw closed();
    return encodeSnapshot(this.#table.view());
  }

  view(): TableView {
    if (this.#closed) throw closed();
    return this.#table.view();
  }

  hashKv(revision: Revision = this.#revision): number {
    const text = new TextEncoder();
    return this.range(everything, { revision }).entries.reduce((hash, entry) => {
      const { key, createRevision, modRevision, version, leaseId, value } = entry;
      const head = `${key}\0${createRevision}\0${modRevision}\0${version}\0${leaseId ?? 0}\0`;
      return crc32(value, crc32(text.encode(head), hash));
    }, 0);
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#lessor.close();
    this.#compaction.stop();
    await this.#group.settled();
    this.#hub.end(closed());
    await this.#table.close();
  }

  /**
   * Replaces the table by another one, whose revisions continue where this one's ended: no revision is used twice, and
   * watchers must read again.
   */
  protected exchange(table: Table, reason?: Error): void {
    if (this.#closed) throw closed();
    this.#table = table;
    this.#pending = new PendingWrites(table);
    this.#revision = this.#decidedRevision = table.opened.revision;
    this.#compactedRevision = table.opened.compactedRevision;
    this.#lessor.load(table.opened);
    this.#raised = table.opened.alarms;
    this.#quota.askAgain();
    const hub = this.#hub;
    this.#hub = new WatchHub();
    hub.end(reason ?? compacted(this.#compactedRevision));
  }

  /** Subscribers may keep state of their own for `snapshot`, see `Subscriber.onSnapshot`. */
  protected notifySnapshot(snapshot: object): void {
    this.#hub.notifySnapshot(snapshot);
  }

  /** Checked before anything is staged, so that one transaction doesn't fail its whole group. */
  #checkSizes(events: readonly Event[]): void {
    for (const { type, entry } of events) {
      if (type === 'put' && entry.value.length > this.#valueBytesMax) {
        throw new StorageError('too-large', 'etcdserver: request is too large');
      }
      if (entry.key.length > this.#table.keyBytesMax) {
        const bytes = `${entry.key.length} bytes, longer than ${this.#table.keyBytesMax}`;
        throw new StorageError('too-large', `key is too large: ${bytes}`);
      }
    }
  }

  #committedState(): CommittedState {
    // oxlint-disable-next-line typescript/no-this-alias -- the getter below needs it
    const engine = this;
    return {
      get revision() {
        return engine.#decidedRevision;
      },
      get: (key) => this.#pending.latest(key),
      scan: (range, visit) => this.#pending.scanLatest(range, visit),
      rangeAt: (range, options) => this.range(range, options),
      hasLease: (id) => this.#lessor.get(id) !== undefined,
    };
  }

  /** The state at `revision` of each key in `range` that was written later. */
  #changedSince(range: KeyRange, revision: Revision): Map<string, Entry | undefined> {
    const changed = new Map<string, Entry | undefined>();
    for (const { events } of this.#table.history(range, revision, this.#revision)) {
      for (const { entry, previous } of events) if (!changed.has(entry.key)) changed.set(entry.key, previous);
    }
    return changed;
  }

  #rangeOfPast(
    range: KeyRange,
    options: RangeOptions,
    changed: Map<string, Entry | undefined>,
    revision: Revision,
  ): RangeResult {
    const { limit = Infinity, isCountless = false } = options;
    const unchangedMax = isCountless ? limit : Infinity;
    const all: Entry[] = [];
    this.#pending.scanVisible(range, (entry) => {
      if (!changed.has(entry.key)) all.push(entry);
      return all.length <= unchangedMax;
    });
    for (const entry of changed.values()) if (entry !== undefined) all.push(entry);
    all.sort((a, b) => (a.key < b.key ? -1 : 1));
    const entries = all.slice(0, options.countOnly ? 0 : limit);
    return { entries, count: all.length, revision };
  }

  /** The events that a new subscriber missed; undefined when its subscription ended instead. */
  #pastFor(range: KeyRange, after: Revision, subscriber: Subscriber): readonly EventBatch[] | undefined {
    try {
      return this.history(range, after);
    } catch (failure) {
      subscriber.onEnd(failure as Error);
      return undefined;
    }
  }

  /** Gives the next revision to `events`; the next transaction sees them. */
  #decided(events: Decision['events']): Commit {
    this.#decidedRevision++;
    const commit = { revision: this.#decidedRevision, events };
    this.#pending.stage(commit);
    this.#lessor.follow(events);
    return commit;
  }

  #publish(staged: readonly Staged[]): void {
    for (const { commit } of staged) {
      if (commit === undefined) continue;
      this.#pending.publish(commit);
      this.#revision = commit.revision;
      this.#hub.publish(commit);
    }
    for (const { resolve } of staged) resolve();
    if ((this.#table.historyBytes ?? 0) > this.#historyBytesMax) this.#forgetOldest();
  }

  #forgetOldest(): void {
    const first = this.#compactedRevision;
    const wanted = first + Math.ceil((this.#revision - first) * forgottenShare);
    if (wanted > first) this.compact(wanted).catch(() => undefined);
  }

  #lose(lost: readonly Staged[], cause: unknown): void {
    this.#pending.discard();
    this.#decidedRevision = this.#revision;
    this.#restoreLeases();
    const failure = new StorageError('unavailable', `the write could not be stored: ${messageOf(cause)}`, {
      cause,
    });
    for (const { reject } of lost) reject(failure);
  }

  /** If the table can't be read now either, the next call tries again. */
  #restoreLeases(): void {
    this.#areLeasesStale = true;
    try {
      this.#lessor.restore(this.#table.opened);
      this.#areLeasesStale = false;
    } catch {
      // `transact` reports the error.
    }
  }

  /** @throws StorageError 'closed', or 'unavailable' while no transaction can be decided */
  #mustDecide(): void {
    if (this.#closed) throw closed();
    if (this.#areLeasesStale) this.#restoreLeases();
    if (this.#areLeasesStale) throw new StorageError('unavailable', 'the store cannot be read');
  }

  async #grant(id: LeaseId, ttlSeconds: number): Promise<Lease> {
    this.#mustDecide();
    if (this.#raised.includes('NOSPACE')) throw noSpace();
    if (this.#lessor.get(id) !== undefined) throw new StorageError('lease-exists', 'lease already exists');
    const lease: Lease = { id, ttlSeconds, expiresAtMs: this.#clock.monotonic() + ttlSeconds * 1000 };
    this.#lessor.set(lease);
    await this.#group.store(undefined, this.#settingOf(lease));
    return lease;
  }

  #renew(id: LeaseId): Lease {
    const lease = this.#lease(id);
    const renewed: Lease = { ...lease, expiresAtMs: this.#clock.monotonic() + lease.ttlSeconds * 1000 };
    this.#lessor.set(renewed);
    // Not awaited: if a renewal is lost in a crash, the lease expires at its former time.
    this.#group.store(undefined, this.#settingOf(renewed)).catch(() => undefined);
    return renewed;
  }

  #settingOf(lease: Lease): LeaseChange {
    return { kind: 'set', lease: this.#lessor.storedFormOf(lease) };
  }

  /**
   * The lease and its keys are deleted together: a key without its lease would stay forever. Returns the revision in
   * which its keys were deleted, if it had any.
   */
  async #revoke(id: LeaseId): Promise<Revision | undefined> {
    this.#lease(id);
    const deletes = this.#lessor.keys(id).map((key) => ({ kind: 'delete', range: { key } }) as const);
    const { events } = evaluate({ success: deletes }, this.#committed);
    const commit = events.length === 0 ? undefined : this.#decided(events);
    this.#lessor.remove(id);
    await this.#group.store(commit, { kind: 'remove', id });
    return commit?.revision;
  }

  async #setAlarms(alarms: readonly Alarm[]): Promise<void> {
    if (this.#closed) throw closed();
    this.#raised = alarms;
    this.#quota.askAgain();
    await unavailableOnFailure('the alarm could not be stored', this.#table.setAlarms(alarms));
  }

  #lease(id: LeaseId): Lease {
    this.#mustDecide();
    const lease = this.#lessor.get(id);
    if (lease === undefined) throw new StorageError('no-lease', 'requested lease not found');
    return lease;
  }

  #expire(leases: readonly Lease[]): void {
    for (const { id, ttlSeconds } of leases) {
      const keys = this.#lessor.keys(id).map(fromByteString);
      const scope = this.#scope(`lease ${id}`);
      const expire = async (): Promise<void> => {
        const revision = await this.#revoke(id);
        if (revision !== undefined) for (const key of keys) scope?.wrote?.(revision, key);
      };
      runStep(scope, here`expire-lease`, expire, { ttlSeconds, keys }, this.#expire).catch(() => undefined);
    }
  }

  #scope(name: string): StepObserver | undefined {
    return scopeOf(this.#observer, () => ({ kind: 'reconcile', component: 'storage', name }));
  }
}

const everything: KeyRange = { start: '', end: '\u{10ffff}' };

const closed = (): StorageError => new StorageError('closed', 'the store is closed');

const compacted = (revision: Revision): StorageError =>
  new StorageError('compacted', 'required revision has been compacted', { revision });

async function unavailableOnFailure(what: string, change: Promise<void> | undefined): Promise<void> {
  try {
    await change;
  } catch (cause) {
    throw new StorageError('unavailable', `${what}: ${messageOf(cause)}`, { cause });
  }
}
