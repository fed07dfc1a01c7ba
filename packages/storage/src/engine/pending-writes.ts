import type { Entry, KeyRange, Revision } from '../storage.ts';
import type { Commit, Table } from './table.ts';

interface PendingWrite {
  /** The entry that readers see until the write is durable. */
  visible: Entry | undefined;
  /** The entry that the next transaction sees. */
  latest: Entry | undefined;
  /** Of the newest pending write to this key. */
  revision: Revision;
}

/**
 * The writes that are decided but not yet durable, as an overlay over the table. It knows both what a reader may see
 * and what the next transaction finds, whichever of them the table shows meanwhile.
 */
export class PendingWrites {
  readonly #table: Table;
  #writes = new Map<string, PendingWrite>();

  constructor(table: Table) {
    this.#table = table;
  }

  visible(key: string): Entry | undefined {
    const write = this.#writes.size === 0 ? undefined : this.#writes.get(key);
    return write === undefined ? this.#table.get(key) : write.visible;
  }

  latest(key: string): Entry | undefined {
    const write = this.#writes.size === 0 ? undefined : this.#writes.get(key);
    return write === undefined ? this.#table.get(key) : write.latest;
  }

  scanVisible(range: KeyRange, visit: (entry: Entry) => boolean | void): void {
    if (this.#writes.size === 0) this.#table.scan(range, visit);
    else this.#scanOver(range, 'visible', visit);
  }

  scanLatest(range: KeyRange, visit: (entry: Entry) => boolean | void): void {
    if (this.#writes.size === 0) this.#table.scan(range, visit);
    else this.#scanOver(range, 'latest', visit);
  }

  countVisible(range: KeyRange): number {
    let count = this.#table.count(range);
    for (const [key, write] of this.#writes) {
      if (key < range.start || key >= range.end) continue;
      count += Number(write.visible !== undefined) - Number(this.#table.get(key) !== undefined);
    }
    return count;
  }

  stage(commit: Commit): void {
    for (const { type, entry, previous } of commit.events) {
      const latest = type === 'put' ? entry : undefined;
      const write = this.#writes.get(entry.key);
      if (write === undefined) {
        this.#writes.set(entry.key, { visible: previous, latest, revision: commit.revision });
      } else {
        write.latest = latest;
        write.revision = commit.revision;
      }
    }
  }

  /** `commit` is durable: readers see it from now on. */
  publish(commit: Commit): void {
    for (const { type, entry } of commit.events) {
      const write = this.#writes.get(entry.key);
      if (write === undefined) continue;
      if (write.revision <= commit.revision) this.#writes.delete(entry.key);
      else write.visible = type === 'put' ? entry : undefined;
    }
  }

  discard(): void {
    this.#writes = new Map();
  }

  #scanOver(range: KeyRange, side: 'visible' | 'latest', visit: (entry: Entry) => boolean | void): void {
    const keys = [...this.#writes.keys()].filter((key) => key >= range.start && key < range.end).sort();
    let next = 0;
    let stopped = false;
    /** Visits the written entries up to `until`; returns false when the visitor stopped. */
    const showBelow = (until: string): boolean => {
      for (; next < keys.length && keys[next]! < until; next++) {
        const entry = this.#writes.get(keys[next]!)![side];
        if (entry !== undefined && visit(entry) === false) return false;
      }
      return true;
    };
    this.#table.scan(range, (entry) => {
      stopped = !showBelow(entry.key);
      if (stopped) return false;
      if (this.#writes.has(entry.key)) return true;
      stopped = visit(entry) === false;
      return !stopped;
    });
    if (!stopped) showBelow(range.end);
  }
}
