/** Reads the fields of a message, in any order. */

export class ProtobufError extends Error {}

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

/** BigInt arithmetic is slow, so the first seven digits of a long varint (49 bits) are summed as a number. */
const splitDigits = 7;

/** A length from here on is negative as an int64. */
const lengthMax = 2 ** 63;

export class MessageReader {
  readonly #bytes: Uint8Array;
  #at: number;
  readonly #end: number;
  readonly #limit: number;

  /** @param limit where a value that begins before `end` must have ended */
  constructor(bytes: Uint8Array, start = 0, end = bytes.length, limit = end) {
    this.#bytes = bytes;
    this.#at = start;
    this.#end = end;
    this.#limit = limit;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#end;
  }

  /** Field number × 8 + wire type. @throws ProtobufError */
  tag(): number {
    return this.varint();
  }

  /**
   * The same, checked as Go's gogo checks it.
   * @param message the name of the message, for errors
   * @throws ProtobufError for the end of a group, and for a field number that is not positive as an int32
   */
  checkedTag(message: string): number {
    const tag = this.varint();
    if (tag >= 8 && tag < 0x80000000 && tag % 8 !== 4) return tag;
    return checkedLargeTag(tag, message);
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

  /** A map entry. As in gogo, its key and value may extend beyond it, as far as the surrounding message. */
  entry(): MessageReader {
    const end = this.#endOfDelimited();
    const reader = new MessageReader(this.#bytes, this.#at, end, this.#limit);
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
      case 3:
        this.#skipGroup();
        return;
      case 5:
        this.#need(4);
        this.#at += 4;
        return;
      default:
        throw new ProtobufError(`proto: illegal wireType ${tag % 8}`);
    }
  }

  #skipGroup(): void {
    for (let depth = 1; depth > 0;) {
      const tag = this.varint();
      if (tag % 8 === 3) depth++;
      else if (tag % 8 === 4) depth--;
      else this.skip(tag);
    }
  }

  #endOfDelimited(): number {
    const length = this.varint();
    if (length >= lengthMax) throw new ProtobufError('proto: negative length found during unmarshaling');
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
    if (count > this.#limit - this.#at) throw new ProtobufError('unexpected EOF');
  }
}

/** Go reads the number as an int32, and shows the whole tag as the wire type. @throws ProtobufError */
function checkedLargeTag(tag: number, message: string): number {
  const number = Math.floor(tag / 8) | 0;
  if (tag % 8 === 4) throw new ProtobufError(`proto: ${message}: wiretype end group for non-group`);
  if (number <= 0) throw new ProtobufError(`proto: ${message}: illegal tag ${number} (wire type ${tag})`);
  return number * 8 + (tag % 8);
}
