import { Tree } from '../../tree/tree.ts';
import type { Entry, Event, EventBatch, KeyRange, LeaseId, Revision } from '../../storage.ts';
import type { Alarm, Commit, CommitGroup, LogRecord, StoredLease, Table, TableView } from '../table.ts';
import { decodeSnapshot } from '../snapshot/snapshot-format.ts';
import { gatherCommits } from '../snapshot/gather-commits.ts';

/** A table of copy-on-write trees: copying it only copies a few pointers. */
export class MemoryTable implements Table {
  readonly keyBytesMax = Infinity;
  readonly #head: Tree<string, Entry>;
  readonly #log: Tree<number, Commit>;
  readonly #leases: Tree<string, StoredLease>;
  /** The keys attached to leases. */
  readonly #leased: Tree<string, LeaseId>;
  #revision: Revision;
  #compactedRevision: Revision;
  #alarms: readonly Alarm[] = [];
  #historyBytes = 0;

  constructor(
    head = new Tree<string, Entry>(),
    log = new Tree<number, Commit>(),
    leases = new Tree<string, StoredLease>(),
    revision: Revision = 1,
    compactedRevision: Revision = 0,
    leased = leasedIn(head),
  ) {
    this.#head = head;
    this.#log = log;
    this.#leases = leases;
    this.#leased = leased;
    this.#revision = revision;
    this.#compactedRevision = compactedRevision;
  }

  /** The content of a snapshot. @throws StorageError 'corrupt' */
  static async restored(chunks: AsyncIterable<Uint8Array>): Promise<MemoryTable> {
    const head = new Tree<string, Entry>();
    const leases = new Tree<string, StoredLease>();
    const records: LogRecord[] = [];
    let [revision, compactedRevision] = [1, 0];
    for await (const item of decodeSnapshot(chunks)) {
      if (item.kind === 'store') ({ revision, compactedRevision } = item);
      else if (item.kind === 'lease') leases.set(String(item.lease.id), item.lease);
      else if (item.kind === 'entry') head.set(item.entry.key, item.entry);
      else records.push(item.record);
    }
    const log = new Tree<number, Commit>();
    let historyBytes = 0;
    for (const commit of gatherCommits(records, (key) => head.get(key))) {
      log.set(commit.revision, commit);
      historyBytes += bytesOfPast(commit);
    }
    const table = new MemoryTable(head, log, leases, revision, compactedRevision);
    table.#historyBytes = historyBytes;
    return table;
  }

  /** A separate table with the same content. */
  clone(): MemoryTable {
    const table = new MemoryTable(
      this.#head.clone(),
      this.#log.clone(),
      this.#leases.clone(),
      this.#revision,
      this.#compactedRevision,
      this.#leased.clone(),
    );
    table.#historyBytes = this.#historyBytes;
    return table;
  }

  /** The same content with decoded values, where `decoded` returns them. */
  withDecoded(decoded: (entry: Entry) => unknown): MemoryTable {
    const table = this.clone();
    for (const entry of collected<Entry>((visit) => this.#head.scan('', '\u{10ffff}', visit))) {
      const object = decoded(entry);
      if (object !== undefined) table.#head.set(entry.key, { ...entry, decoded: object });
    }
    return table;
  }

  /**
   * The same content as if it had been created after `revision`, without history. One revision is skipped, so that
   * nobody who has seen `revision` can continue from it.
   */
  movedTo(revision: Revision): MemoryTable {
    return new MemoryTable(
      this.#head.clone(),
      new Tree(),
      this.#leases.clone(),
      revision + 2,
      revision + 2,
      this.#leased.clone(),
    );
  }

  get opened(): Table['opened'] {
    return {
      revision: this.#revision,
      compactedRevision: this.#compactedRevision,
      leases: this.#allLeases(),
      leasedKeys: this.#leasedKeys(),
      alarms: this.#alarms,
    };
  }

  /** A clone shares the common content and never changes. */
  view(): TableView {
    const { revision, compactedRevision } = this.opened;
    const head = this.#head.clone();
    const log = this.#log.clone();
    return {
      revision,
      compactedRevision,
      leases: this.#allLeases(),
      entries: () => collected((visit) => head.scan('', '\u{10ffff}', visit)),
      records: () =>
        collected<Commit>((visit) => log.scan(0, Infinity, visit)).flatMap((commit) =>
          commit.events.map(({ type, entry, previous }) => ({
            revision: commit.revision,
            key: entry.key,
            type,
            previous,
          })),
        ),
      release: () => undefined,
    };
  }

  get(key: string): Entry | undefined {
    return this.#head.get(key);
  }

  scan(range: KeyRange, visit: (entry: Entry) => boolean | void): void {
    this.#head.scan(range.start, range.end, visit);
  }

  count(range: KeyRange): number {
    return this.#head.count(range.start, range.end);
  }

  history({ start, end }: KeyRange, after: Revision, until: Revision): EventBatch[] {
    const batches: EventBatch[] = [];
    this.#log.scan(after + 1, until + 1, (commit) => {
      const events = commit.events.filter(({ entry: { key } }) => key >= start && key < end);
      if (events.length > 0) batches.push({ revision: commit.revision, events });
    });
    return batches;
  }

  commit({ commits, leases }: CommitGroup): undefined {
    for (const { revision, events } of commits) {
      const kept = { revision, events: events.map(withoutDecoded) };
      this.#log.set(revision, kept);
      this.#historyBytes += bytesOfPast(kept);
      for (const { type, entry, previous } of kept.events) {
        if (type === 'put') this.#head.set(entry.key, entry);
        else this.#head.delete(entry.key);
        const leaseId = type === 'put' ? entry.leaseId : undefined;
        if (leaseId !== undefined) this.#leased.set(entry.key, leaseId);
        else if (previous?.leaseId !== undefined) this.#leased.delete(entry.key);
      }
      this.#revision = revision;
    }
    for (const change of leases) {
      if (change.kind === 'set') this.#leases.set(String(change.lease.id), change.lease);
      else this.#leases.delete(String(change.id));
    }
  }

  setAlarms(alarms: readonly Alarm[]): undefined {
    this.#alarms = alarms;
  }

  /** Unused memory is left to the garbage collector. */
  defragment(): undefined {}

  compact(revision: Revision): undefined {
    this.#compactedRevision = revision;
    for (
      let first = this.#log.firstKey();
      first !== undefined && first < revision;
      first = this.#log.firstKey()
    ) {
      this.#historyBytes -= bytesOfPast(this.#log.get(first)!);
      this.#log.delete(first);
    }
  }

  get historyBytes(): number {
    return this.#historyBytes;
  }

  size(): { totalBytes: number; usedBytes: number } {
    let bytes = 0;
    this.#head.scan('', '\u{10ffff}', (entry) => void (bytes += entry.key.length + entry.value.length));
    return { totalBytes: bytes, usedBytes: bytes };
  }

  async close(): Promise<void> {}

  #allLeases(): StoredLease[] {
    return collected((visit) => this.#leases.scan('', '\u{10ffff}', visit));
  }

  #leasedKeys(): { id: LeaseId; key: string }[] {
    const keys: { id: LeaseId; key: string }[] = [];
    this.#leased.scan('', '\u{10ffff}', (id, key) => void keys.push({ id, key }));
    return keys;
  }
}

/** The size of a change besides the value that it replaced. */
const changeBytes = 512;

const bytesOfPast = ({ events }: Commit): number =>
  events.reduce((sum, { previous }) => sum + changeBytes + (previous?.value.length ?? 0), 0);

function leasedIn(head: Tree<string, Entry>): Tree<string, LeaseId> {
  const leased = new Tree<string, LeaseId>();
  head.scan('', '\u{10ffff}', ({ leaseId, key }) => {
    if (leaseId !== undefined) leased.set(key, leaseId);
  });
  return leased;
}

function collected<T>(scan: (visit: (one: T) => void) => void): T[] {
  const all: T[] = [];
  scan((one) => void all.push(one));
  return all;
}

/** Only bytes are retained; decoded objects would take several times as much memory. */
function withoutDecoded(event: Event): Event {
  const { entry } = event;
  if (entry.decoded === undefined) return event;
  const { decoded: _, ...bare } = entry;
  return { ...event, entry: bare };
}
