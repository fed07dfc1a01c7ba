import {
  StorageError,
  type Entry,
  type Event,
  type KeyRange,
  type LeaseId,
  type Revision,
} from '../storage.ts';
import type {
  Compare,
  Operation,
  OperationResult,
  PutOperation,
  RangeOptions,
  RangeResult,
  Transaction,
  TransactionResult,
} from './engine.ts';

/** The limit of all reads of a transaction together, since no response could carry more. */
const readBytesMax = 2 ** 31 - 1;

/** @throws StorageError 'too-large' for more than one transaction can read */
export function mustBeReadableAtOnce(bytes: number): void {
  if (bytes > readBytesMax)
    throw new StorageError('too-large', `a transaction can read at most ${readBytesMax} bytes`);
}

/** The state against which a transaction is decided. */
export interface CommittedState {
  /** The newest revision, durable or not. */
  readonly revision: Revision;
  get(key: string): Entry | undefined;
  scan(range: KeyRange, visit: (entry: Entry) => boolean | void): void;
  /** Reads durable history. */
  rangeAt(range: KeyRange, options: RangeOptions): RangeResult;
  hasLease(id: LeaseId): boolean;
}

export interface Decision {
  readonly result: TransactionResult;
  /** In the order of the operations. Empty when nothing is written. */
  readonly events: readonly Event[];
}

/** Decides a transaction without executing it. Operations see the effects of the previous ones. */
export function evaluate(transaction: Transaction, committed: CommittedState): Decision {
  const draft = new Draft(committed);
  const result = draft.run(transaction);
  return { result, events: draft.events };
}

class Draft {
  readonly events: Event[] = [];
  readonly #committed: CommittedState;
  readonly #revision: Revision;
  #written: Map<string, Entry | undefined> | undefined;
  #readBytes = 0;

  constructor(committed: CommittedState) {
    this.#committed = committed;
    this.#revision = committed.revision + 1;
  }

  run(transaction: Transaction): TransactionResult {
    const succeeded = transaction.compares?.every((compare) => this.#holds(compare)) ?? true;
    const operations = (succeeded ? transaction.success : transaction.failure) ?? [];
    const results = operations.map((operation) => this.#carryOut(operation));
    return {
      succeeded,
      results,
      revision: this.events.length === 0 ? this.#committed.revision : this.#revision,
    };
  }

  #carryOut(operation: Operation): OperationResult {
    switch (operation.kind) {
      case 'put':
        return this.#put(operation);
      case 'delete':
        return {
          kind: 'delete',
          deleted: this.#entriesOf(operation.range).map((entry) => this.#delete(entry)),
        };
      case 'range':
        return { kind: 'range', ...this.#counted(this.#range(operation.range, operation.options ?? {})) };
      case 'transaction':
        return { kind: 'transaction', result: this.run(operation.transaction) };
    }
  }

  #put({ key, value, leaseId, decoded }: PutOperation): OperationResult {
    const previous = this.#get(key);
    const kept = previous?.leaseId;
    const lease = leaseId === 'keep' ? kept : leaseId;
    if (lease !== undefined && lease !== kept && !this.#committed.hasLease(lease)) {
      throw new StorageError('no-lease', 'requested lease not found');
    }
    if ((value === undefined || leaseId === 'keep') && previous === undefined) {
      throw new StorageError('no-key', 'key not found');
    }
    const entry: Entry = {
      key,
      value: value ?? previous!.value,
      createRevision: previous?.createRevision ?? this.#revision,
      modRevision: this.#revision,
      version: (previous?.version ?? 0) + 1,
      ...(lease === undefined ? undefined : { leaseId: lease }),
      ...(decoded === undefined ? undefined : { decoded }),
    };
    this.#write({ type: 'put', entry, ...(previous && { previous }) }, entry);
    return { kind: 'put', entry, previous };
  }

  #delete(previous: Entry): Entry {
    const entry = { ...previous, modRevision: this.#revision };
    this.#write({ type: 'delete', entry, previous }, undefined);
    return previous;
  }

  #write(event: Event, after: Entry | undefined): void {
    (this.#written ??= new Map()).set(event.entry.key, after);
    this.events.push(event);
  }

  #get(key: string): Entry | undefined {
    return this.#written?.has(key) ? this.#written.get(key) : this.#committed.get(key);
  }

  #entriesOf(range: KeyRange | { readonly key: string }): Entry[] {
    if ('key' in range) {
      const entry = this.#get(range.key);
      return entry === undefined ? [] : [entry];
    }
    const entries: Entry[] = [];
    this.#committed.scan(range, (entry) => {
      if (!this.#written?.has(entry.key)) entries.push(entry);
    });
    if (this.#written === undefined) return entries;
    for (const [key, entry] of this.#written) {
      if (entry !== undefined && key >= range.start && key < range.end) entries.push(entry);
    }
    return entries.sort(byKey);
  }

  #range(range: KeyRange | { readonly key: string }, options: RangeOptions): RangeResult {
    if (options.revision !== undefined && options.revision !== 0) {
      const whole = 'key' in range ? { start: range.key, end: `${range.key}\0` } : range;
      return this.#committed.rangeAt(whole, options);
    }
    const all = this.#entriesOf(range);
    const limit = options.countOnly ? 0 : (options.limit ?? all.length);
    return { entries: all.slice(0, limit), count: all.length, revision: this.#committed.revision };
  }

  #counted(result: RangeResult): RangeResult {
    for (const { key, value } of result.entries) this.#readBytes += key.length + value.length;
    mustBeReadableAtOnce(this.#readBytes);
    return result;
  }

  /** Stops at the first entry that does not match: transactions compare whole stores. */
  #holds(compare: Compare): boolean {
    const { range } = compare;
    let holds = true;
    let isEmpty = true;
    const visit = (entry: Entry): boolean => {
      isEmpty = false;
      return (holds = relates(compare, entry));
    };
    if ('key' in range || this.#written !== undefined) this.#entriesOf(range).every(visit);
    else this.#committed.scan(range, visit);
    // For a missing entry etcd compares with zeros, but value comparisons by equality never hold.
    return isEmpty ? compare.target.field !== 'value' && relates(compare, undefined) : holds;
  }
}

function byKey(a: Entry, b: Entry): number {
  return a.key < b.key ? -1 : 1;
}

function relates({ relation, target }: Compare, entry: Entry | undefined): boolean {
  const order = compareField(target, entry);
  if (relation === 'equal') return order === 0;
  if (relation === 'not-equal') return order !== 0;
  return relation === 'greater' ? order > 0 : order < 0;
}

/** Negative, zero or positive, as the entry's field compares with the target. */
function compareField(target: Compare['target'], entry: Entry | undefined): number {
  if (target.field === 'value') return entry === undefined ? -1 : compareBytes(entry.value, target.value);
  if (target.field === 'lease') {
    const lease = entry?.leaseId ?? 0n;
    return lease === target.value ? 0 : lease < target.value ? -1 : 1;
  }
  return (entry?.[target.field] ?? 0) - target.value;
}

function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const shared = Math.min(a.length, b.length);
  for (let i = 0; i < shared; i++) {
    if (a[i] !== b[i]) return a[i]! - b[i]!;
  }
  return a.length - b.length;
}
