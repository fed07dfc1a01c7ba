import { setImmediate as nextTurn } from 'node:timers/promises';
import { errorCodes, UnreadBytes, type ServerStream } from '@coxswain/http2';

/** Shorter responses cost less than their streams, whose number is limited. */
const countedBytesMin = 1024;
/** Encoding a longer response takes a noticeable turn of the event loop. */
const longBytesMin = 1024 * 1024;

/**
 * Limits the cost of responses for other clients: the memory in which they wait to be read, and the turns in which they
 * are encoded.
 */
export class UnreadResponses {
  readonly #unread: UnreadBytes;
  #pause: Promise<void> | undefined;

  constructor(bytesMax: number) {
    this.#unread = new UnreadBytes(bytesMax);
  }

  /**
   * Long responses are encoded in separate turns, whoever requested them, so that short ones can be sent in between.
   */
  async nextTurn(): Promise<void> {
    while (this.#pause !== undefined) await this.#pause;
  }

  /** Call this before writing the response. */
  add(stream: ServerStream, bytes: number): void {
    if (bytes > longBytesMin) this.#pause ??= nextTurn().then(() => (this.#pause = undefined));
    if (bytes < countedBytesMin || stream.isClosed) return;
    stream.onClose(this.#unread.add(bytes, () => stream.reset(errorCodes.enhanceYourCalm)));
  }
}
