import { StorageError, type Event } from '../storage.ts';
import type { Operation, Transaction } from './engine.ts';

/** Asking a table for its size costs more than a small write does: it is asked again after so many bytes, … */
const askAfterBytesMax = 1024 * 1024;
/** … and a small quota is asked for more often. */
const asksPerQuota = 64;
/** What an event takes besides its key and value. */
const eventBytes = 64;

/** How large a store may grow. Counted are the bytes of the whole file, as etcd counts them. */
export class SpaceQuota {
  readonly #bytesMax: number;
  readonly #totalBytes: () => number;
  #knownBytes: number | undefined;
  #addedBytes = 0;

  /** `bytesMax` 0: no bound. */
  constructor(bytesMax: number, totalBytes: () => number) {
    this.#bytesMax = bytesMax;
    this.#totalBytes = totalBytes;
  }

  /** Whether the store would be too large with `events`, which are counted. */
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

  /** The table has changed its size otherwise than by writes. */
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

/** Whether it may put something, in whatever branch: such ones are refused while there is no space. */
export const mayPut = ({ success, failure = [] }: Transaction): boolean =>
  success.some(puts) || failure.some(puts);

const puts = (operation: Operation): boolean =>
  operation.kind === 'put' || (operation.kind === 'transaction' && mayPut(operation.transaction));

/** In etcd's words. */
export const noSpace = (): StorageError =>
  new StorageError('no-space', 'etcdserver: mvcc: database space exceeded');
