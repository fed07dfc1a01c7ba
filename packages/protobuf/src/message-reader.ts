/** Reads the fields of a message, in any order. */

export class ProtobufError extends Error {}

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

/** BigInt arithmetic is slow, so the first seven digits of a long varint (49 bits) are summed as a number. */
const splitDigits = 7;

export class MessageReader {
  readonly #bytes: Uint8Array;
  #at: number;
  readonly #end: number;

  constructor(bytes: Uint8Array, start = 0, end = bytes.length) {
    this.#bytes = bytes;
    this.#at = start;
    this.#end = end;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#end;
  }

  /** Field number × 8 + wire type. @throws ProtobufError */
  tag(): number {
    return this.varint();
  }

  /** Below 2^53; for larger values, which would lose precision, use {@link int64}. */
  varint(): number {
    let value = 0;
    let scale = 1;
    for (let count = 0; count < 10; count++) {
      const byte = this.#byte();
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
      scale *= 0x80;
    }
    throw new ProtobufError('proto: integer overflow');
  }

  /** A bigint beyond ±2^53. */
  int64(): number | bigint {
    const start = this.#at;
    const small = this.varint();
    if (small <= Number.MAX_SAFE_INTEGER) return small;
    this.#at = start;
    const signed = BigInt.asIntN(64, this.uint64());
    const number = Number(signed);
    return Number.isSafeInteger(number) ? number : signed;
  }

  /** All 64 bits. */
  uint64(): bigint {
    const start = this.#at;
    const small = this.varint();
    if (small <= Number.MAX_SAFE_INTEGER) return BigInt(small);
    let low = 0;
    let high = 0n;
    for (let at = start, scale = 1; at < this.#at; at++) {
      const digit = this.#bytes[at]! & 0x7f;
      if (at - start < splitDigits) {
        low += digit * scale;
        scale *= 0x80;
      } else high |= BigInt(digit) << BigInt(7 * (at - start));
    }
    return BigInt.asUintN(64, high | BigInt(low));
  }

  fixed64(): bigint {
    return this.#view(8).getBigUint64(0, true);
  }

  int32(): number {
    return Number(BigInt.asIntN(32, BigInt(this.int64())));
  }

  double(): number {
    return this.#view(8).getFloat64(0, true);
  }

  text(): string {
    return utf8.decode(this.bytes());
  }

  /** A view, not a copy. */
  bytes(): Uint8Array {
    const end = this.#endOfDelimited();
    const value = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return value;
  }

  message(): MessageReader {
    const end = this.#endOfDelimited();
    const reader = new MessageReader(this.#bytes, this.#at, end);
    this.#at = end;
    return reader;
  }

  skip(tag: number): void {
    switch (tag % 8) {
      case 0:
        this.varint();
        return;
      case 1:
        this.#need(8);
        this.#at += 8;
        return;
      case 2:
        this.bytes();
        return;
      case 5:
        this.#need(4);
        this.#at += 4;
        return;
      default:
        throw new ProtobufError(`proto: illegal wireType ${tag % 8}`);
    }
  }

  #endOfDelimited(): number {
    const length = this.varint();
    this.#need(length);
    return this.#at + length;
  }

  #view(length: number): DataView {
    this.#need(length);
    const view = new DataView(this.#bytes.buffer, this.#bytes.byteOffset + this.#at, length);
    this.#at += length;
    return view;
  }

  #byte(): number {
    this.#need(1);
    return this.#bytes[this.#at++]!;
  }

  #need(count: number): void {
    if (count > this.#end - this.#at) throw new ProtobufError('unexpected EOF');
  }
}
