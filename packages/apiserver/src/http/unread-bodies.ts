/** Limits the memory of bodies that clients have not read yet. */
import { UnreadBytes } from '@coxswain/http2';

/** For the whole process, as its memory is. */
const unreadBytesMax = 512 * 1024 * 1024;
/** Shorter ones take no more memory than the request itself. */
const countedBytesMin = 4 * 1024;

const unread = new UnreadBytes(unreadBytesMax);
const nothing = (): void => undefined;

/** @returns a function to call when the body was read or has ended */
export const holdingBody = ({ length }: Uint8Array, giveUp: () => void): (() => void) =>
  length < countedBytesMin ? nothing : unread.add(length, giveUp);

/** The block of a long body that a client is reading: each one counts as waiting from when it was written. */
export class HeldBlock {
  readonly #giveUp: () => void;
  #release = nothing;

  constructor(giveUp: () => void) {
    this.#giveUp = giveUp;
  }

  /** @param bytes all that is unread now; replaces the previous block */
  hold(bytes: number): void {
    this.#release();
    this.#release = unread.add(bytes, this.#giveUp);
  }

  /** The body was read, or has ended. */
  release(): void {
    this.#release();
    this.#release = nothing;
  }
}

/** A stream with less pending costs little more than itself; beyond it, its client lags behind. */
const laggingBytesMin = 64 * 1024;

/** A streamed response without end: what its client has not read counts until all of it was read. */
export class LaggingStream {
  readonly #giveUp: () => void;
  readonly #all: UnreadBytes;
  #heldBytes = 0;
  #release = nothing;

  constructor(giveUp: () => void, all = unread) {
    this.#giveUp = giveUp;
    this.#all = all;
  }

  /**
   * Counts again whenever the amount has doubled.
   * @param onRead calls back once when nothing is pending any more
   */
  note(bytesPending: number, onRead: (callback: () => void) => void): void {
    if (bytesPending < laggingBytesMin || bytesPending < 2 * this.#heldBytes) return;
    if (this.#heldBytes === 0) onRead(() => this.release());
    this.#release();
    this.#heldBytes = bytesPending;
    this.#release = this.#all.add(bytesPending, this.#giveUp);
  }

  /** Everything was read, or the stream has ended. */
  release(): void {
    this.#release();
    this.#release = nothing;
    this.#heldBytes = 0;
  }
}
