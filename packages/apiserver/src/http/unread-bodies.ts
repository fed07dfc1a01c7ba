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
