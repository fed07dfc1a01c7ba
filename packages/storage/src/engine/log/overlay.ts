import type { Entry, Event, EventBatch, KeyRange, Revision } from '../../storage.ts';
import type { Commit, CommitGroup, LeaseChange, LogRecord } from '../table.ts';

/** Reads the tables below, which may already have part of the overlay. */
type GetBelow = (key: string) => Entry | undefined;

interface Newest {
  /** Undefined: deleted. */
  readonly entry: Entry | undefined;
  readonly revision: Revision;
}

/** A group with its log sequence number. */
interface LoggedGroup {
  readonly sequence: number;
  readonly group: CommitGroup;
  readonly events: number;
  readonly bytes: number;
}

/** Several of the oldest groups combined. */
export interface Batch {
  readonly group: CommitGroup;
  /** Of the last one. */
  readonly sequence: number;
  readonly count: number;
}

/** The size of a change in the tables, and roughly in memory: rows with their headers, and values of whole pages. */
const eventBytes = 200;
const pageBytes = 4096;
/** Values up to this size share a page with others. */
const sharedBytesMax = 1_900;

/** The commits that are in the log but not in the tables yet, as an overlay for readers. */
export class Overlay {
  readonly #below: GetBelow;
  /** By key, unordered: sorting the keys of a scan costs less than keeping all of them sorted. */
  readonly #newest = new Map<string, Newest>();
  /** Oldest first. */
  #groups: LoggedGroup[] = [];
  #events = 0;
  #bytes = 0;

  constructor(below: GetBelow) {
    this.#below = below;
  }

  get events(): number {
    return this.#events;
  }

  /** The approximate number of bytes to be written to the tables. */
  get bytes(): number {
    return this.#bytes;
  }

  get isEmpty(): boolean {
    return this.#groups.length === 0;
  }

  /** Of its oldest group. */
  get firstSequence(): number {
    return this.#groups[0]?.sequence ?? Infinity;
  }

  /** Of its newest commit; undefined when there is none. */
  get revision(): Revision | undefined {
    return this.#groups.findLast(({ group }) => group.commits.length > 0)?.group.commits.at(-1)!.revision;
  }

  add(sequence: number, { commits, leases }: CommitGroup): void {
    let [events, bytes] = [leases.length, leases.length * eventBytes];
    const kept = commits.map(withoutDecoded);
    for (const { revision, events: changes } of kept) {
      events += changes.length;
      for (const { type, entry, previous } of changes) {
        bytes +=
          eventBytes + (type === 'put' ? storedBytesOf(entry) : 0) + (previous ? storedBytesOf(previous) : 0);
        this.#newest.set(entry.key, { entry: type === 'put' ? entry : undefined, revision });
      }
    }
    this.#groups.push({ sequence, group: { commits: kept, leases }, events, bytes });
    this.#events += events;
    this.#bytes += bytes;
  }

  /** At least one group, and no more than these many changes or bytes. */
  oldest(eventsMax: number, bytesMax: number): Batch {
    const commits: Commit[] = [];
    const leases: LeaseChange[] = [];
    let [count, events, bytes] = [0, 0, 0];
    while (count < this.#groups.length && events < eventsMax && bytes < bytesMax) {
      const next = this.#groups[count++]!;
      commits.push(...next.group.commits);
      leases.push(...next.group.leases);
      events += next.events;
      bytes += next.bytes;
    }
    return { group: { commits, leases }, sequence: this.#groups[count - 1]!.sequence, count };
  }

  /** `batch` is durable in the tables. */
  drop({ count, group }: Batch): void {
    for (const { events, bytes } of this.#groups.splice(0, count)) {
      this.#events -= events;
      this.#bytes -= bytes;
    }
    for (const { revision, events } of group.commits) {
      for (const { entry } of events) {
        if ((this.#newest.get(entry.key)?.revision ?? Infinity) <= revision) this.#newest.delete(entry.key);
      }
    }
  }

  get(key: string): Entry | undefined {
    const newest = this.#newest.size === 0 ? undefined : this.#newest.get(key);
    return newest === undefined ? this.#below(key) : newest.entry;
  }

  /** `scanBelow` scans the tables. */
  scan(
    range: KeyRange,
    visit: (entry: Entry) => boolean | void,
    scanBelow: (visit: (entry: Entry) => boolean | void) => void,
  ): void {
    const over = this.#changesIn(range);
    if (over.length === 0) return scanBelow(visit);
    const merge = new Merge(over, visit);
    scanBelow((entry) => merge.take(entry));
    merge.finish();
  }

  /** How many more keys `range` has than in the tables. */
  countMore({ start, end }: KeyRange): number {
    let more = 0;
    for (const [key, { entry }] of this.#newest) {
      if (key < start || key >= end) continue;
      more += Number(entry !== undefined) - Number(this.#below(key) !== undefined);
    }
    return more;
  }

  history({ start, end }: KeyRange, after: Revision, until: Revision): EventBatch[] {
    const batches: EventBatch[] = [];
    for (const { group } of this.#groups) {
      for (const { revision, events } of group.commits) {
        if (revision <= after || revision > until) continue;
        const wanted = events.filter(({ entry: { key } }) => key >= start && key < end);
        if (wanted.length > 0) batches.push({ revision, events: wanted });
      }
    }
    return batches;
  }

  /** Oldest first. */
  commits(): readonly Commit[] {
    return this.#groups.flatMap(({ group }) => group.commits);
  }

  leaseChanges(): readonly LeaseChange[] {
    return this.#groups.flatMap(({ group }) => group.leases);
  }

  /** The newest state of each changed key, in ascending order; undefined for a deleted one. */
  changes(): readonly (readonly [key: string, entry: Entry | undefined])[] {
    return this.#changesIn({ start: '', end: '\u{10ffff}' });
  }

  records(): readonly LogRecord[] {
    return this.commits().flatMap(({ revision, events }) =>
      events.map(({ type, entry, previous }) => ({ revision, key: entry.key, type, previous })),
    );
  }

  #changesIn({ start, end }: KeyRange): (readonly [key: string, entry: Entry | undefined])[] {
    const changes: (readonly [string, Entry | undefined])[] = [];
    for (const [key, { entry }] of this.#newest) {
      if (key >= start && key < end) changes.push([key, entry]);
    }
    return changes.sort(([a], [b]) => (a < b ? -1 : 1));
  }
}

/** Merges changed entries into those from below, both in ascending order, replacing equal keys. */
class Merge {
  readonly #over: readonly (readonly [key: string, entry: Entry | undefined])[];
  readonly #visit: (entry: Entry) => boolean | void;
  #next = 0;
  #isStopped = false;

  constructor(
    over: readonly (readonly [key: string, entry: Entry | undefined])[],
    visit: (entry: Entry) => boolean | void,
  ) {
    this.#over = over;
    this.#visit = visit;
  }

  /** Returns false when the visitor stops. */
  take(entry: Entry): boolean {
    while (this.#next < this.#over.length && this.#over[this.#next]![0] < entry.key) {
      if (!this.#show(this.#over[this.#next++]![1])) return false;
    }
    const isChanged = this.#over[this.#next]?.[0] === entry.key;
    return this.#show(isChanged ? this.#over[this.#next++]![1] : entry);
  }

  finish(): void {
    while (!this.#isStopped && this.#next < this.#over.length) this.#show(this.#over[this.#next++]![1]);
  }

  #show(entry: Entry | undefined): boolean {
    if (entry !== undefined && this.#visit(entry) === false) this.#isStopped = true;
    return !this.#isStopped;
  }
}

const storedBytesOf = ({ value }: Entry): number =>
  value.length > sharedBytesMax ? Math.ceil(value.length / pageBytes) * pageBytes : value.length;

/** Only bytes are retained; decoded objects would take several times as much memory. */
function withoutDecoded(commit: Commit): Commit {
  if (!commit.events.some(hasDecoded)) return commit;
  return { revision: commit.revision, events: commit.events.map(bareEvent) };
}

const hasDecoded = ({ entry, previous }: Event): boolean =>
  entry.decoded !== undefined || previous?.decoded !== undefined;

function bareEvent(event: Event): Event {
  const { entry, previous } = event;
  return { ...event, entry: bare(entry), ...(previous && { previous: bare(previous) }) };
}

function bare(entry: Entry): Entry {
  if (entry.decoded === undefined) return entry;
  const { decoded: _, ...rest } = entry;
  return rest;
}
