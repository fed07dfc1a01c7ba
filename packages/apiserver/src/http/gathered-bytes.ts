/** Collects bytes that arrive in pieces. Many small pieces take no more memory than a few large ones. */
export class GatheredBytes {
  #bytes: Uint8Array = none;
  length = 0;

  /** The first piece is kept without a copy, since most bodies arrive in one. */
  add(piece: Uint8Array): void {
    if (this.length === 0) {
      this.#bytes = piece;
      this.length = piece.length;
      return;
    }
    const length = this.length + piece.length;
    if (length > this.#bytes.length || this.#isForeign) this.#grow(length);
    this.#bytes.set(piece, this.length);
    this.length = length;
  }

  /** Returns all bytes and becomes empty. */
  take(): Uint8Array {
    const bytes = this.#bytes.subarray(0, this.length);
    this.#bytes = none;
    this.#isForeign = true;
    this.length = 0;
    return bytes;
  }

  /** Whether the buffer is the first piece itself rather than our copy. */
  #isForeign = true;

  #grow(length: number): void {
    const larger = Buffer.allocUnsafeSlow(Math.max(length, this.#bytes.length * 2, bytesLeast));
    larger.set(this.#bytes.subarray(0, this.length));
    this.#bytes = larger;
    this.#isForeign = false;
  }
}

const none = new Uint8Array(0);
const bytesLeast = 4096;
