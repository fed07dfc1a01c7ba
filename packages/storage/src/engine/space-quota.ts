import { StorageError, type Event } from '../storage.ts';
import type { Operation, Transaction } from './engine.ts';

/** Computing a table's size costs more than a small write: it is computed again after this many bytes, … */
const askAfterBytesMax = 1024 * 1024;
/** … and more often for a small quota. */
const asksPerQuota = 64;
/** The size of an event besides its key and value. */
const eventBytes = 64;

/** Limits the size of a store. The bytes of the whole file count, as in etcd. */
export class SpaceQuota {
  readonly #bytesMax: number;
  readonly #totalBytes: () => number;
  #knownBytes: number | undefined;
  #addedBytes = 0;

  /** `bytesMax` 0: unlimited. */
  constructor(bytesMax: number, totalBytes: () => number) {
    this.#bytesMax = bytesMax;
    this.#totalBytes = totalBytes;
  }

  /** Whether the store would be too large with `events`, which are added to its size. */
  isExceededWith(events: readonly Event[]): boolean {
    if (this.#bytesMax === 0) return false;
    const cost = costOf(events);
    this.#addedBytes += cost;
    if (
      this.#knownBytes === undefined ||
      this.#addedBytes > Math.min(askAfterBytesMax, this.#bytesMax / asksPerQuota)
    ) {
      this.#knownBytes = this.#totalBytes();
      this.#addedBytes = cost;
    }
    return this.#knownBytes + cost > this.#bytesMax;
  }

  /** The table's size has changed by something other than writes. */
  askAgain(): void {
    this.#knownBytes = undefined;
  }
}

const costOf = (events: readonly Event[]): number =>
  events.reduce(
    (bytes, { type, entry }) =>
      bytes + (type === 'put' ? eventBytes + entry.key.length + entry.value.length : 0),
    0,
  );

/** Whether it could put something in either branch: such transactions are refused while there is no space. */
export const mayPut = ({ success, failure = [] }: Transaction): boolean =>
  success.some(puts) || failure.some(puts);

const puts = (operation: Operation): boolean =>
  operation.kind === 'put' || (operation.kind === 'transaction' && mayPut(operation.transaction));

/** With etcd's message. */
export const noSpace = (): StorageError =>
  new StorageError('no-space', 'etcdserver: mvcc: database space exceeded');
