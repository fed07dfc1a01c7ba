/**
 * The responses of all connections that wait in memory for their clients to read them. If they exceed the memory limit,
 * those that have waited longest are dropped; a client that reads is soon not among them.
 */
export class UnreadBytes {
  readonly #bytesMax: number;
  readonly #waiting = new Set<Waiting>();
  #bytes = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /**
   * Call this before writing the response; a single response may exceed the limit.
   * @param giveUp aborts the response
   * @returns a function to call when the response was read or is over
   */
  add(bytes: number, giveUp: () => void): () => void {
    const added: Waiting = { bytes, giveUp };
    this.#waiting.add(added);
    this.#bytes += bytes;
    for (const oldest of this.#waiting) {
      if (this.#bytes <= this.#bytesMax || oldest === added) break;
      this.#remove(oldest);
      oldest.giveUp();
    }
    return () => this.#remove(added);
  }

  get bytes(): number {
    return this.#bytes;
  }

  #remove(one: Waiting): void {
    if (this.#waiting.delete(one)) this.#bytes -= one.bytes;
  }
}

interface Waiting {
  readonly bytes: number;
  readonly giveUp: () => void;
}
