/** Bytes that a connection has received but not read. */
import { GatheredBytes } from '../gathered-bytes.ts';

export class UnreadInput {
  #chunk: Buffer = none;
  #start = 0;
  /** What has arrived after `#chunk`. */
  readonly #later = new GatheredBytes();

  get length(): number {
    return this.#chunk.length - this.#start + this.#later.length;
  }

  add(bytes: Buffer): void {
    if (this.length > 0) return this.#later.add(bytes);
    this.#chunk = bytes;
    this.#start = 0;
  }

  /** @param read returns the offset in the chunk at which it stopped */
  read(read: (chunk: Buffer, start: number) => number): void {
    if (this.#start === this.#chunk.length) this.#goOn();
    this.#start = read(this.#chunk, this.#start);
  }

  /** Returns all bytes and becomes empty. */
  take(): Uint8Array {
    const all = new GatheredBytes();
    if (this.#start < this.#chunk.length) all.add(this.#chunk.subarray(this.#start));
    if (this.#later.length > 0) all.add(this.#later.take());
    this.#goOn();
    return all.take();
  }

  #goOn(): void {
    this.#chunk = this.#later.take() as Buffer;
    this.#start = 0;
  }
}

const none = Buffer.alloc(0);
