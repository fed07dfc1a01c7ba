/** Bytes that come in pieces. Many small pieces hold no more memory than a few large ones. */
export class GatheredBytes {
  #bytes: Uint8Array = none;
  length = 0;

  /** The first piece is kept as it is, since most bodies come in one. */
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

  /** All of them; there are none afterwards. */
  take(): Uint8Array {
    const bytes = this.#bytes.subarray(0, this.length);
    this.#bytes = none;
    this.#isForeign = true;
    this.length = 0;
    return bytes;
  }

  /** Whether the bytes are those of a piece, not a copy of ours. */
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
