import { setImmediate as nextTurn } from 'node:timers/promises';
import { errorCodes, UnreadBytes, type ServerStream } from '@coxswain/http2';

/** Shorter answers cost less than the streams that they wait in, whose number is bounded. */
const countedBytesMin = 1024;
/** Making a longer one took a turn of the event loop that others felt. */
const longBytesMin = 1024 * 1024;

/** Bounds what answers cost others: the memory in which they wait to be read, and the turns in which they are made. */
export class UnreadAnswers {
  readonly #unread: UnreadBytes;
  #pause: Promise<void> | undefined;

  constructor(bytesMax: number) {
    this.#unread = new UnreadBytes(bytesMax);
  }

  /** Long answers are made in different turns, whoever asked for them, so that short ones come in between. */
  async nextTurn(): Promise<void> {
    while (this.#pause !== undefined) await this.#pause;
  }

  /** To be told before the answer is written. */
  add(stream: ServerStream, bytes: number): void {
    if (bytes > longBytesMin) this.#pause ??= nextTurn().then(() => (this.#pause = undefined));
    if (bytes < countedBytesMin || stream.isClosed) return;
    stream.onClose(this.#unread.add(bytes, () => stream.reset(errorCodes.enhanceYourCalm)));
  }
}
