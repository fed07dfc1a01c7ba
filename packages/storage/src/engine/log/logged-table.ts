import { detach } from '@coxswain/apimachinery/detach.ts';
import type { Clock, Timer } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import {
  StorageError,
  type Entry,
  type EventBatch,
  type KeyRange,
  type LeaseId,
  type Revision,
} from '../../storage.ts';
import type { Alarm, CommitGroup, Table, TableView } from '../table.ts';
import { SerialQueue } from '../lmdb/serial-queue.ts';
import { changedLeases, loggedView } from './logged-view.ts';
import type { Overlay } from './overlay.ts';
import type { WriteAheadLog } from './write-ahead-log.ts';

/** Tables that record up to which log record they are complete. */
export interface BaseTable extends Omit<Table, 'commit'> {
  /** The newest revision that they hold. */
  readonly revision: Revision;
  /** Stores the group and that number atomically. */
  commit(group: CommitGroup, sequence: number): Promise<void>;
}

export interface CheckpointBounds {
  /** With this many changes, or bytes for the tables, the oldest are moved into these. */
  readonly events: number;
  readonly bytes: number;
  /** The maximum size of a transaction on the tables: handing it over blocks this process. */
  readonly batchEvents: number;
  readonly batchBytes: number;
  /** Commits wait, or fail with the tables' error, when this much has not been moved into the tables. */
  readonly waitingEvents: number;
  readonly waitingBytes: number;
  /** However little it is, it is moved after this time. */
  readonly ageMs: number;
}

export const checkpointBoundsDefault: CheckpointBounds = {
  events: 4_096,
  bytes: 8 * 1024 * 1024,
  batchEvents: 2_048,
  batchBytes: 4 * 1024 * 1024,
  waitingEvents: 32_768,
  waitingBytes: 64 * 1024 * 1024,
  ageMs: 30_000,
};

/** The delay before a failed checkpoint is retried, doubled after each failure, … */
const retryMsMin = 500;
/** … up to this. */
const retryMsMax = 30_000;

/**
 * Tables with a log in front of them. A commit is durable when it is in the log; it is read from the overlay until a
 * checkpoint has moved it, together with many others, into the tables. Rare operations (compaction, defragmentation,
 * closing) make a checkpoint first.
 */
export class LoggedTable implements Table {
  readonly keyBytesMax: number;
  readonly #base: BaseTable;
  readonly #overlay: Overlay;
  readonly #log: WriteAheadLog;
  readonly #bounds: CheckpointBounds;
  readonly #clock: Clock;
  readonly #steps = new SerialQueue();
  #isCheckpointing = false;
  #isClosed = false;
  /** Set while the log isn't empty: when all of it must be in the tables, or a checkpoint is retried. */
  #timer: Timer | undefined;
  /** The error of the last checkpoint, and the delay before the next one. */
  #failure: { readonly reason: unknown; readonly retryMs: number } | undefined;

  constructor(
    base: BaseTable,
    overlay: Overlay,
    log: WriteAheadLog,
    clock: Clock,
    bounds: CheckpointBounds = checkpointBoundsDefault,
  ) {
    this.#bounds = bounds;
    this.#clock = clock;
    this.keyBytesMax = base.keyBytesMax;
    this.#base = base;
    this.#overlay = overlay;
    this.#log = log;
    this.#checkpointIfDue();
  }

  get problem(): string | undefined {
    if (this.#failure === undefined) return undefined;
    const { reason } = this.#failure;
    return `the last checkpoint failed: ${messageOf(reason)}`;
  }

  get opened(): Table['opened'] {
    const opened = this.#base.opened;
    if (this.#overlay.isEmpty) return opened;
    const leaseOf = new Map<string, LeaseId | undefined>(opened.leasedKeys.map(({ id, key }) => [key, id]));
    for (const [key, entry] of this.#overlay.changes()) leaseOf.set(key, entry?.leaseId);
    return {
      ...opened,
      revision: Math.max(opened.revision, this.#overlay.revision ?? 0),
      leases: changedLeases(opened.leases, this.#overlay.leaseChanges()),
      leasedKeys: [...leaseOf].flatMap(([key, id]) => (id === undefined ? [] : [{ id, key }])),
    };
  }

  get(key: string): Entry | undefined {
    return this.#overlay.get(key);
  }

  scan(range: KeyRange, visit: (entry: Entry) => boolean | void): void {
    this.#overlay.scan(range, visit, (over) => this.#base.scan(range, over));
  }

  count(range: KeyRange): number {
    return this.#base.count(range) + this.#overlay.countMore(range);
  }

  history(range: KeyRange, after: Revision, until: Revision): EventBatch[] {
    const stored = this.#base.revision;
    const past = after < stored ? this.#base.history(range, after, Math.min(until, stored)) : [];
    return past.concat(this.#overlay.history(range, Math.max(after, stored), until));
  }

  commit(group: CommitGroup): Promise<void> | undefined {
    if (group.commits.length === 0 && group.leases.length === 0) return undefined;
    return this.#isFull() ? this.#makeRoom().then(() => this.#append(group)) : this.#append(group);
  }

  /** Everything that this process reads from its connections in one turn shares a write to the log. */
  gather(): Promise<void> {
    return new Promise((resolve) => void setImmediate(resolve));
  }

  #append(group: CommitGroup): Promise<void> | undefined {
    const appended = this.#log.append(group);
    if (appended !== undefined) return appended.then(() => this.#keep(group));
    this.#keep(group);
    return undefined;
  }

  async setAlarms(alarms: readonly Alarm[]): Promise<void> {
    await this.#base.setAlarms(alarms);
  }

  async compact(revision: Revision): Promise<void> {
    await this.#checkpoint();
    await this.#base.compact(revision);
  }

  async defragment(): Promise<void> {
    await this.#checkpoint();
    await this.#base.defragment();
  }

  view(): TableView {
    return loggedView(this.#base.view(), this.#overlay, () => {
      if (this.#isClosed) throw new StorageError('closed', 'the store is closed');
    });
  }

  size(): { totalBytes: number; usedBytes: number } {
    const { totalBytes, usedBytes } = this.#base.size();
    return { totalBytes: totalBytes + this.#overlay.bytes, usedBytes: usedBytes + this.#overlay.bytes };
  }

  /** If there is no room for a checkpoint, the log stays, and the next start finds everything in it. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#timer?.cancel();
    await this.#checkpoint().catch(() => undefined);
    await this.#log.close();
    await this.#base.close();
  }

  #keep(group: CommitGroup): void {
    this.#overlay.add(this.#log.sequence, group);
    this.#checkpointIfDue();
  }

  #isDue(): boolean {
    const { events, bytes } = this.#overlay;
    return events >= this.#bounds.events || bytes >= this.#bounds.bytes;
  }

  /** In the background while much is waiting; otherwise when it has waited long enough. */
  #checkpointIfDue(): void {
    if (!this.#isCheckpointing && this.#failure === undefined && this.#isDue()) {
      detach(
        this.#runCheckpoint(async () => {
          while (this.#isDue()) await this.#step();
        }),
      );
    } else {
      this.#timer ??= this.#wakeAfter(this.#bounds.ageMs);
    }
  }

  #wakeAfter(delayMs: number): Timer {
    const wake = (): void => {
      this.#timer = undefined;
      if (!this.#isCheckpointing) detach(this.#runCheckpoint(() => this.#checkpoint()));
    };
    return this.#clock.after(delayMs, wake, { idle: true });
  }

  /** Failures are retried with growing delays. */
  async #runCheckpoint(checkpoint: () => Promise<void>): Promise<void> {
    this.#isCheckpointing = true;
    try {
      await checkpoint();
    } catch {
      // `#step` has recorded the error.
    } finally {
      this.#isCheckpointing = false;
    }
    if (this.#isClosed || this.#overlay.isEmpty) return;
    this.#timer?.cancel();
    this.#timer = this.#wakeAfter(this.#failure?.retryMs ?? this.#bounds.ageMs);
  }

  /** Moves everything that was committed before. */
  async #checkpoint(): Promise<void> {
    const { sequence } = this.#log;
    while (this.#overlay.firstSequence <= sequence) await this.#step();
  }

  async #makeRoom(): Promise<void> {
    while (this.#isFull()) await this.#step();
  }

  #isFull(): boolean {
    const { events, bytes } = this.#overlay;
    return events >= this.#bounds.waitingEvents || bytes >= this.#bounds.waitingBytes;
  }

  /** Moves the oldest groups into the tables. */
  #step(): Promise<void> {
    return this.#steps.run(async () => {
      if (this.#overlay.isEmpty) return;
      const batch = this.#overlay.oldest(this.#bounds.batchEvents, this.#bounds.batchBytes);
      try {
        await this.#base.commit(batch.group, batch.sequence);
      } catch (reason) {
        const retryMs = Math.min(2 * (this.#failure?.retryMs ?? retryMsMin / 2), retryMsMax);
        this.#failure = { reason, retryMs };
        throw reason;
      }
      this.#failure = undefined;
      this.#overlay.drop(batch);
      this.#log.release(batch.sequence);
    });
  }
}
