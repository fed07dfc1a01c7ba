/** What is said to another thread in one turn goes in one message. */
import type { Port } from './port.ts';

/** To hand over less costs more than to copy it. */
const movedBytesMin = 32 * 1024;

export class Outbox<M> {
  readonly #port: Port;
  readonly #later: (post: () => void) => void;
  #messages: M[] = [];
  #transfers: ArrayBuffer[] = [];

  /** @param later when the turn is over, or that of all sockets that can be read; at once when absent */
  constructor(port: Port, later: (post: () => void) => void = (post) => post()) {
    this.#port = port;
    this.#later = later;
  }

  /** @param values in the message, each in a buffer of its own that this thread needs no more */
  push(message: M, values: readonly Uint8Array<ArrayBuffer>[] = []): void {
    this.#messages.push(message);
    for (const { buffer } of values) if (buffer.byteLength >= movedBytesMin) this.#transfers.push(buffer);
    if (this.#messages.length === 1) this.#later(() => this.#post());
  }

  #post(): void {
    const messages = this.#messages;
    const transfers = this.#transfers;
    this.#messages = [];
    this.#transfers = [];
    this.#port.postMessage(messages, transfers);
  }
}
