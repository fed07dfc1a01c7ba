/** Combines the messages to another thread in one turn into a single one. */
import type { Port } from './port.ts';

/** For smaller values a transfer costs more than a copy. */
const movedBytesMin = 32 * 1024;

export class Outbox<M> {
  readonly #port: Port;
  readonly #later: (post: () => void) => void;
  #messages: M[] = [];
  #transfers: ArrayBuffer[] = [];

  /**
   * @param later runs a function at the end of the turn, or after all readable sockets were read; at once if unset
   */
  constructor(port: Port, later: (post: () => void) => void = (post) => post()) {
    this.#port = port;
    this.#later = later;
  }

  /** @param values in the message, each in a buffer of its own that this thread no longer needs */
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
