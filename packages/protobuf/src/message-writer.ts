/**
 * Bytes of a message, written from the end to the beginning: so the length of what is inside is known when
 * its header is written, and nothing is measured twice.
 */

const initialBytes = 4096;
/** A writer that wrote something larger once does not hold on to that much. */
const keptBytesMax = 4 * 1024 * 1024;
/** BigInt's arithmetic is slow: numbers of 64 bits are cut in two where a digit of a varint ends. */
const splitDigits = 7;
const splitBits = 49n;
const utf8 = new TextEncoder();

/** What a writer was told may not be written. */
export class MessageTooLarge extends Error {
  /** At least. */
  readonly bytes: number;

  constructor(bytes: number) {
    super(`a message of ${bytes} bytes is larger than its writer takes`);
    this.bytes = bytes;
  }
}

export class MessageWriter {
  #buffer: Uint8Array;
  /** Where the message written so far begins. */
  #start: number;

  readonly #bytesMax: number;

  /** @param bytes that it can hold before it has to grow; @param bytesMax that it may grow to */
  constructor(bytes = initialBytes, bytesMax = Infinity) {
    this.#bytesMax = bytesMax;
    this.#buffer = new Uint8Array(bytes);
    this.#start = bytes;
  }

  /** A copy of what was written; the writer can be used again. */
  finish(): Uint8Array {
    const bytes = this.#buffer.slice(this.#start);
    this.reset();
    return bytes;
  }

  /** What was written goes into `target`, which is as long; the writer can be used again. */
  finishInto(target: Uint8Array): void {
    target.set(this.#buffer.subarray(this.#start));
    this.reset();
  }

  /** Bytes written so far: the difference is the length of a nested message. */
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

  /** With its length in front. */
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

  /** With their length in front. */
  bytes(value: Uint8Array): void {
    this.raw(value);
    this.varint(value.length);
  }

  raw(value: Uint8Array): void {
    this.#reserve(value.length);
    this.#buffer.set(value, this.#start);
  }

  /** Forgets what was written, such as the half of a message that could not be written. */
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
