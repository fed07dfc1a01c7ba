/**
 * Writes a message from its end to its beginning: the length of nested contents is known when their header is written,
 * so nothing is measured twice.
 */

const initialBytes = 4096;
/** The buffer that a writer keeps after a larger message. */
const keptBytesMax = 4 * 1024 * 1024;
/** BigInt arithmetic is slow, so 64-bit numbers are split at the boundary of a varint digit. */
const splitDigits = 7;
const splitBits = 49n;
const utf8 = new TextEncoder();

/** The message exceeds the limit of the writer. */
export class MessageTooLarge extends Error {
  /** The size required, at least. */
  readonly bytes: number;

  constructor(bytes: number) {
    super(`a message of ${bytes} bytes is larger than its writer takes`);
    this.bytes = bytes;
  }
}

export class MessageWriter {
  #buffer: Uint8Array;
  /** The beginning of what was written so far. */
  #start: number;

  readonly #bytesMax: number;

  /** @param bytes the initial size of the buffer; @param bytesMax the size up to which it may grow */
  constructor(bytes = initialBytes, bytesMax = Infinity) {
    this.#bytesMax = bytesMax;
    this.#buffer = new Uint8Array(bytes);
    this.#start = bytes;
  }

  /** Returns a copy of the contents; the writer can be reused. */
  finish(): Uint8Array {
    const bytes = this.#buffer.slice(this.#start);
    this.reset();
    return bytes;
  }

  /** Copies the contents into `target`, which has the same length; the writer can be reused. */
  finishInto(target: Uint8Array): void {
    target.set(this.#buffer.subarray(this.#start));
    this.reset();
  }

  /** The number of bytes written so far: the difference is the length of a nested message. */
  get length(): number {
    return this.#buffer.length - this.#start;
  }

  tag(field: number, wireType: 0 | 1 | 2): void {
    this.varint(field * 8 + wireType);
  }

  /** Non-negative, below 2^53. */
  varint(value: number): void {
    if (value < 0x80) {
      this.#reserve(1);
      this.#buffer[this.#start] = value;
      return;
    }
    let size = 2;
    for (let rest = Math.floor(value / 0x4000); rest > 0; rest = Math.floor(rest / 0x80)) size++;
    this.#reserve(size);
    let rest = value;
    for (let at = this.#start; at < this.#start + size - 1; at++) {
      this.#buffer[at] = (rest % 0x80) | 0x80;
      rest = Math.floor(rest / 0x80);
    }
    this.#buffer[this.#start + size - 1] = rest;
  }

  /** Two's complement in 64 bits: a negative number takes ten bytes. */
  int64(value: number | bigint): void {
    if (typeof value === 'number' && value >= 0) {
      this.varint(value);
      return;
    }
    const bits = BigInt.asUintN(64, BigInt(value));
    const high = Number(bits >> splitBits);
    let low = Number(BigInt.asUintN(Number(splitBits), bits));
    if (high === 0) return this.varint(low);
    this.varint(high);
    this.#reserve(splitDigits);
    for (let at = this.#start; at < this.#start + splitDigits; at++) {
      this.#buffer[at] = (low % 0x80) | 0x80;
      low = Math.floor(low / 0x80);
    }
  }

  fixed64(value: bigint): void {
    this.#reserve(8);
    new DataView(this.#buffer.buffer).setBigUint64(this.#start, value, true);
  }

  double(value: number): void {
    this.#reserve(8);
    new DataView(this.#buffer.buffer).setFloat64(this.#start, value, true);
  }

  /** Length-prefixed. */
  text(value: string): void {
    const length = value.length;
    this.#reserve(length);
    const buffer = this.#buffer;
    const start = this.#start;
    for (let index = 0; index < length; index++) {
      const code = value.charCodeAt(index);
      if (code >= 0x80) {
        this.#start += length;
        this.bytes(utf8.encode(value));
        return;
      }
      buffer[start + index] = code;
    }
    this.varint(length);
  }

  /** Length-prefixed. */
  bytes(value: Uint8Array): void {
    this.raw(value);
    this.varint(value.length);
  }

  raw(value: Uint8Array): void {
    this.#reserve(value.length);
    this.#buffer.set(value, this.#start);
  }

  /** Discards the contents, such as part of a message that could not be written. */
  reset(): void {
    if (this.#buffer.length > keptBytesMax) this.#buffer = new Uint8Array(initialBytes);
    this.#start = this.#buffer.length;
  }

  #reserve(count: number): void {
    if (count > this.#start) this.#grow(count);
    this.#start -= count;
  }

  #grow(count: number): void {
    const written = this.#buffer.subarray(this.#start);
    if (written.length + count > this.#bytesMax) throw new MessageTooLarge(written.length + count);
    const larger = new Uint8Array(Math.max(this.#buffer.length * 2, written.length + count));
    larger.set(written, larger.length - written.length);
    this.#start = larger.length - written.length;
    this.#buffer = larger;
  }
}
