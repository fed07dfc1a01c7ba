/** Reads the bodies of responses from webhooks and issuers: each up to a limit, and all together within another. */
import { GatheredBytes } from '@coxswain/apiserver/http/gathered-bytes.ts';

/** The maximum size of a response, decompressed: a patch of the largest object has half of it. Upstream has no limit. */
export const answerBytesMax = 8 * 1024 * 1024;
/** The maximum size of all long responses that are being read. */
const bytesAtOnceMax = 32 * 1024 * 1024;
/** Shorter ones are always read: their number is that of the requests in flight. */
const shortBytesMax = 64 * 1024;

export interface ReadAnswerOptions {
  /** Ends the wait for room; ending the response is up to whoever made it. */
  readonly signal?: AbortSignal | undefined;
  readonly bytesMax?: number | undefined;
}

export class AnswerTooLong extends Error {
  override readonly name = 'AnswerTooLong';

  constructor(bytesMax: number) {
    super(`the answer has more than ${bytesMax} bytes`);
  }
}

/** @throws AnswerTooLong, and whatever the pieces throw */
export type ReadAnswer = (
  pieces: AsyncIterable<Uint8Array>,
  options?: ReadAnswerOptions,
) => Promise<Uint8Array>;

/**
 * While there is no room, responses are not read, so that their senders wait; the one that began first always is.
 * @param bytesMax of all responses longer than `shortMax` that are read at once
 */
export function answerReader(bytesMax: number, shortMax: number): ReadAnswer {
  const room = new Room(bytesMax);
  return async (pieces, { signal, bytesMax: ownMax = answerBytesMax } = {}) => {
    const gathered = new GatheredBytes();
    const reader: Reader = { bytes: 0 };
    try {
      for await (const piece of pieces) {
        const length = gathered.length + piece.length;
        if (length > ownMax) throw new AnswerTooLong(ownMax);
        if (length > shortMax) await room.grow(reader, length, signal);
        gathered.add(piece);
      }
      return gathered.take();
    } finally {
      room.leave(reader);
    }
  };
}

interface Reader {
  bytes: number;
}

class Room {
  readonly #bytesMax: number;
  #bytes = 0;
  /** Those of long responses, in the order in which these became long. */
  readonly #readers = new Set<Reader>();
  #change = Promise.withResolvers<void>();

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** Resolves when the reader may hold so many bytes, or gave up. */
  async grow(reader: Reader, bytes: number, signal: AbortSignal | undefined): Promise<void> {
    this.#readers.add(reader);
    while (!this.#hasRoom(reader, bytes) && signal?.aborted !== true) {
      const wake = (): void => this.#wake();
      signal?.addEventListener('abort', wake, { once: true });
      await this.#change.promise;
      signal?.removeEventListener('abort', wake);
    }
    this.#bytes += bytes - reader.bytes;
    reader.bytes = bytes;
  }

  leave(reader: Reader): void {
    if (!this.#readers.delete(reader)) return;
    this.#bytes -= reader.bytes;
    this.#wake();
  }

  #hasRoom(reader: Reader, bytes: number): boolean {
    const isFirst = this.#readers.values().next().value === reader;
    return isFirst || this.#bytes + bytes - reader.bytes <= this.#bytesMax;
  }

  #wake(): void {
    this.#change.resolve();
    this.#change = Promise.withResolvers();
  }
}

/** One room for the whole thread. */
export const readAnswer = answerReader(bytesAtOnceMax, shortBytesMax);
