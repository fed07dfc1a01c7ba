/**
 * Answers that wait in memory until their clients have read them, of all connections. When they are more than memory is
 * meant for, those that have waited longest are given up: who reads is not among them for long.
 */
export class UnreadBytes {
  readonly #bytesMax: number;
  readonly #waiting = new Set<Waiting>();
  #bytes = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /**
   * To be told before the answer is written; a single one may be larger than all together.
   * @param giveUp ends the answer
   * @returns what to call when the answer was read, or is over
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

  #remove(one: Waiting): void {
    if (this.#waiting.delete(one)) this.#bytes -= one.bytes;
  }
}

interface Waiting {
  readonly bytes: number;
  readonly giveUp: () => void;
}
