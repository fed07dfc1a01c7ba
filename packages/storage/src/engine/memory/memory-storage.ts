import { systemClock } from '@coxswain/apimachinery';
import { EngineStorage } from '../engine-storage.ts';
import { MvccEngine } from '../mvcc-engine.ts';
import type { EngineOptions } from '../mvcc-engine.ts';
import { MemoryTable } from './memory-table.ts';

export type MemoryOptions = Partial<EngineOptions>;

/** What a memory engine held at one moment. Immutable, cheap to keep: it shares all that did not change. */
export class MemorySnapshot {
  readonly #table: MemoryTable;

  constructor(table: MemoryTable) {
    this.#table = table;
  }

  /** A table of its own with this content. */
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

  snapshot(): MemorySnapshot {
    return new MemorySnapshot(this.#table.clone());
  }

  /**
   * Takes the content of `snapshot`. Revisions go on from here, so that no resourceVersion comes twice;
   * watches end with 'compacted' and their owners list again.
   */
  reset(snapshot: MemorySnapshot): void {
    this.#table = snapshot.thaw().movedTo(this.revision);
    this.exchange(this.#table);
  }
}

/** A store that lives as long as the process. Snapshot, fork and reset take the same time at any size. */
export class MemoryStorage extends EngineStorage<MemoryEngine> {
  readonly #options: EngineOptions;

  constructor(options: MemoryOptions = {}, snapshot?: MemorySnapshot) {
    const whole: EngineOptions = { clock: systemClock, ...options };
    super(new MemoryEngine(snapshot?.thaw() ?? new MemoryTable(), whole), whole.clock);
    this.#options = whole;
  }

  snapshot(): MemorySnapshot {
    return this.engine.snapshot();
  }

  /** A store of its own, which begins with what this one holds now. */
  fork(options?: MemoryOptions): MemoryStorage {
    return new MemoryStorage({ ...this.#options, ...options }, this.snapshot());
  }

  reset(snapshot: MemorySnapshot): void {
    this.engine.reset(snapshot);
  }
}
