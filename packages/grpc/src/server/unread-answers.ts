import { setImmediate as nextTurn } from 'node:timers/promises';
import { errorCodes, type ServerStream } from '@coxswain/http2';

/** Shorter answers cost less than the streams that they wait in, whose number is bounded. */
const countedBytesMin = 1024;
/** Making a longer one took a turn of the event loop that others felt. */
const longBytesMin = 1024 * 1024;

/**
 * Answers that wait to be read, of all clients. When they are more than memory is meant for, those that have waited
 * longest are given up: who reads is not among them for long.
 */
export class UnreadAnswers {
  readonly #bytesMax: number;
  readonly #bytesOf = new Map<ServerStream, number>();
  #bytes = 0;
  #pause: Promise<void> | undefined;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** Long answers are made in different turns, whoever asked for them, so that short ones come in between. */
  async nextTurn(): Promise<void> {
    while (this.#pause !== undefined) await this.#pause;
  }

  /** To be told before the answer is written; a single one may be larger than all together. */
  add(stream: ServerStream, bytes: number): void {
    if (bytes > longBytesMin) this.#pause ??= nextTurn().then(() => (this.#pause = undefined));
    if (bytes < countedBytesMin || stream.isClosed) return;
    this.#bytesOf.set(stream, bytes);
    this.#bytes += bytes;
    stream.onClose(() => this.#remove(stream));
    for (const oldest of this.#bytesOf.keys()) {
      if (this.#bytes <= this.#bytesMax || oldest === stream) return;
      oldest.reset(errorCodes.enhanceYourCalm);
    }
  }

  #remove(stream: ServerStream): void {
    this.#bytes -= this.#bytesOf.get(stream) ?? 0;
    this.#bytesOf.delete(stream);
  }
}
