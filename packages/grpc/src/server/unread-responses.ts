import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '@coxswain/apimachinery';
import { errorCodes, UnreadBytes, type ServerStream } from '@coxswain/http2';

/** Shorter responses cost less than their streams, whose number is limited. */
const countedBytesMin = 1024;
/** The part of the memory that may be taken before another long response is made. */
const longPart = 1 / 4;
/** While others wait for memory, a response of which the client reads nothing for this long is given up. */
export const unreadPatienceMs = 5_000;

/**
 * Limits the cost of responses for other clients: the memory in which they wait to be read, and the turns in which long
 * ones are made.
 */
export class UnreadResponses {
  readonly #unread: UnreadBytes;
  readonly #longBytesMax: number;
  readonly #clock: Clock;
  /** What clients had not read at the last look; undefined before the first one. */
  readonly #open = new Map<ServerStream, number | undefined>();
  readonly #waiting: (() => void)[] = [];
  #isMaking = false;
  #willLook = false;

  constructor(bytesMax: number, clock: Clock) {
    this.#unread = new UnreadBytes(bytesMax);
    this.#longBytesMax = bytesMax * longPart;
    this.#clock = clock;
  }

  /**
   * Makes a response that may be long, after those that came before, and once clients have read enough of them. A turn
   * of the event loop lies between two, for everything else.
   * @throws whatever `make` throws; it is not called for a client that has gone
   */
  async oneByOne(stream: ServerStream, make: () => Promise<void>): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#waiting.push(resolve);
      this.#beginNext();
    });
    try {
      if (!stream.isClosed) await make();
    } finally {
      await nextTurn();
      this.#isMaking = false;
      this.#beginNext();
    }
  }

  /** Call this before writing the response. */
  add(stream: ServerStream, bytes: number): void {
    if (bytes < countedBytesMin || stream.isClosed) return;
    const forget = this.#unread.add(bytes, () => stream.reset(errorCodes.enhanceYourCalm));
    this.#open.set(stream, undefined);
    stream.onClose(() => {
      forget();
      this.#open.delete(stream);
      this.#beginNext();
    });
  }

  #beginNext(): void {
    if (this.#isMaking || this.#waiting.length === 0) return;
    if (this.#unread.bytes > this.#longBytesMax) {
      if (this.#willLook) return;
      this.#willLook = true;
      this.#clock.after(unreadPatienceMs, () => this.#giveUpStalled(), { idle: true });
      return;
    }
    this.#isMaking = true;
    this.#waiting.shift()!();
  }

  #giveUpStalled(): void {
    this.#willLook = false;
    for (const [stream, before] of this.#open) {
      if (stream.unsentBytes === before) stream.reset(errorCodes.enhanceYourCalm);
      else this.#open.set(stream, stream.unsentBytes);
    }
    this.#beginNext();
  }
}
