/** Reads the fields of a message, in any order. */

export class ProtobufError extends Error {}

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

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

  /** Below 2^53; larger ones lose digits: use {@link int64}. */
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
    let value = 0n;
    for (let at = start; at < this.#at; at++)
      value |= BigInt(this.#bytes[at]! & 0x7f) << BigInt(7 * (at - start));
    const signed = BigInt.asIntN(64, value);
    const number = Number(signed);
    return Number.isSafeInteger(number) ? number : signed;
  }

  int32(): number {
    return Number(BigInt.asIntN(32, BigInt(this.int64())));
  }

  double(): number {
    this.#need(8);
    const value = new DataView(this.#bytes.buffer, this.#bytes.byteOffset + this.#at, 8).getFloat64(0, true);
    this.#at += 8;
    return value;
  }

  text(): string {
    return utf8.decode(this.bytes());
  }

  /** Not copied. */
  bytes(): Uint8Array {
    const length = this.varint();
    this.#need(length);
    const value = this.#bytes.subarray(this.#at, this.#at + length);
    this.#at += length;
    return value;
  }

  message(): MessageReader {
    return new MessageReader(this.bytes());
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

  #byte(): number {
    this.#need(1);
    return this.#bytes[this.#at++]!;
  }

  #need(count: number): void {
    if (count > this.#end - this.#at) throw new ProtobufError('unexpected EOF');
  }
}
