import { systemClock } from '@coxswain/apimachinery';
import { StoreReset, type Entry } from '../../storage.ts';
import { EngineStorage } from '../engine-storage.ts';
import { MvccEngine, type EngineOptions } from '../mvcc-engine.ts';
import { encodeSnapshot } from '../snapshot/snapshot-format.ts';
import { MemoryTable } from './memory-table.ts';

export type MemoryOptions = Partial<EngineOptions>;

/**
 * The state of a memory engine at one moment. Immutable and cheap to keep, since it shares everything unchanged. As an
 * iterable it yields the bytes of a snapshot that any engine can restore.
 */
export class MemorySnapshot implements AsyncIterable<Uint8Array> {
  readonly #table: MemoryTable;

  constructor(table: MemoryTable) {
    this.#table = table;
  }

  [Symbol.asyncIterator](): AsyncIterator<Uint8Array> {
    return encodeSnapshot(this.#table.view());
  }

  /**
   * The same for many stores that start from it, so that their content is decoded only once. `decoded` returns the
   * decoded object of an entry, which must not be changed any more, or undefined.
   */
  withDecoded(decoded: (entry: Entry) => unknown): MemorySnapshot {
    return new MemorySnapshot(this.#table.withDecoded(decoded));
  }

  /** A separate table with this content. */
  thaw(): MemoryTable {
    return this.#table.clone();
  }
}

export class MemoryEngine extends MvccEngine {
  #table: MemoryTable;

  constructor(table: MemoryTable, options: EngineOptions) {
    super(table, options);
    this.#table = table;
  }

  override snapshot(): MemorySnapshot {
    const snapshot = new MemorySnapshot(this.#table.clone());
    this.notifySnapshot(snapshot);
    return snapshot;
  }

  /**
   * Replaces the content by that of `snapshot`. Revisions continue from here, so that no resourceVersion is used twice;
   * watches end with `StoreReset` and their owners list again.
   */
  reset(snapshot: MemorySnapshot): void {
    this.#table = snapshot.thaw().movedTo(this.revision);
    this.exchange(this.#table, new StoreReset(snapshot, this.#table.opened.revision));
  }
}

/** Less than for history on disk: for pods these are the last 15,000 changes. */
const inMemory = { historyRevisionsMax: 100_000, historyBytesMax: 64 * 1024 * 1024 };

/** A store that lives as long as the process. Snapshots, forks and resets take the same time at any size. */
export class MemoryStorage extends EngineStorage<MemoryEngine> {
  readonly #options: EngineOptions;

  constructor(options: MemoryOptions = {}, snapshot?: MemorySnapshot) {
    const past = options.historyMsMax === 0 ? {} : inMemory;
    const whole: EngineOptions = { clock: systemClock, ...past, ...options };
    super(new MemoryEngine(snapshot?.thaw() ?? new MemoryTable(), whole), whole.clock);
    this.#options = whole;
  }

  /** A store with the content of a saved snapshot, from any engine. @throws StorageError 'corrupt' */
  static async restored(
    chunks: AsyncIterable<Uint8Array>,
    options: MemoryOptions = {},
  ): Promise<MemoryStorage> {
    return new MemoryStorage(options, new MemorySnapshot(await MemoryTable.restored(chunks)));
  }

  snapshot(): MemorySnapshot {
    return this.engine.snapshot();
  }

  /** A separate store that starts with the current content of this one. */
  fork(options?: MemoryOptions): MemoryStorage {
    return new MemoryStorage({ ...this.#options, ...options }, this.snapshot());
  }

  reset(snapshot: MemorySnapshot): void {
    this.engine.reset(snapshot);
  }
}
