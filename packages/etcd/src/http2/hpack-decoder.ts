import { decodeHuffman } from './hpack-huffman.ts';
import { staticFields } from './hpack-static-fields.ts';

/** By name, in lower case; of a name that comes twice, the last. */
export type HeaderFields = ReadonlyMap<string, string>;

/** What the client is told nothing else about: RFC 7541's default. */
const tableBytesMax = 4096;
/** As RFC 7541 counts a field. */
const fieldBytesExtra = 32;
/** Of all the fields of one request. */
const listBytesMax = 64 * 1024;

export class MalformedHeaders extends Error {}

/** Decodes the header blocks of one connection, in their order (HPACK, RFC 7541). */
export class HpackDecoder {
  /** Newest first. */
  #table: (readonly [name: string, value: string])[] = [];
  #tableBytes = 0;
  #tableBytesMax = tableBytesMax;
  /** Clients repeat themselves: what the last block meant, as long as it means that. */
  #last: { readonly block: Buffer; readonly fields: HeaderFields } | undefined;
  #bytes: Uint8Array = new Uint8Array(0);
  #at = 0;

  /** @throws MalformedHeaders, after which the connection can't go on */
  decode(block: Buffer): HeaderFields {
    if (this.#last?.block.equals(block) === true) return this.#last.fields;
    const fields = this.#decode(block);
    this.#last = block.every(isKnownField) ? { block: Buffer.from(block), fields } : undefined;
    return fields;
  }

  #decode(block: Uint8Array): HeaderFields {
    this.#bytes = block;
    this.#at = 0;
    const fields = new Map<string, string>();
    let listBytes = 0;
    while (this.#at < block.length) {
      const field = this.#nextField();
      if (field === undefined) continue;
      const [name, value] = field;
      listBytes += name.length + value.length + fieldBytesExtra;
      if (listBytes > listBytesMax) throw new MalformedHeaders(`headers of more than ${listBytesMax} bytes`);
      fields.set(name, value);
    }
    return fields;
  }

  /** Undefined for an instruction that is no field. The first bits tell which kind comes. */
  #nextField(): readonly [string, string] | undefined {
    const first = this.#bytes[this.#at]!;
    if (first >= 0b1000_0000) return this.#known(this.#integer(7));
    if (first >= 0b0100_0000) {
      const field = this.#literal(6);
      this.#remember(field);
      return field;
    }
    if (first >= 0b0010_0000) {
      this.#resize(this.#integer(5));
      return undefined;
    }
    return this.#literal(4);
  }

  #literal(indexBits: number): readonly [string, string] {
    const index = this.#integer(indexBits);
    const name = index === 0 ? this.#string() : this.#known(index)[0];
    return [name, this.#string()];
  }

  #known(index: number): readonly [string, string] {
    const field =
      index <= staticFields.length ? staticFields[index - 1] : this.#table[index - staticFields.length - 1];
    if (field === undefined) throw new MalformedHeaders(`there is no field ${index}`);
    return field;
  }

  #remember(field: readonly [string, string]): void {
    const bytes = bytesOf(field);
    this.#evict(this.#tableBytesMax - bytes);
    if (bytes > this.#tableBytesMax) return;
    this.#table.unshift(field);
    this.#tableBytes += bytes;
  }

  #resize(bytesMax: number): void {
    if (bytesMax > tableBytesMax)
      throw new MalformedHeaders(`a table of ${bytesMax} bytes was not agreed on`);
    this.#tableBytesMax = bytesMax;
    this.#evict(bytesMax);
  }

  #evict(bytesMax: number): void {
    while (this.#tableBytes > bytesMax && this.#table.length > 0)
      this.#tableBytes -= bytesOf(this.#table.pop()!);
  }

  /** In the last `bits` of this byte, or in the bytes after it when those are all ones. */
  #integer(bits: number): number {
    const mask = 2 ** bits - 1;
    let value = this.#byte() & mask;
    if (value < mask) return value;
    // Nothing here is as large as four such bytes can tell.
    for (let shift = 0; shift < 28; shift += 7) {
      const byte = this.#byte();
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
    throw new MalformedHeaders('a number is too long');
  }

  #string(): string {
    const isHuffman = (this.#bytes[this.#at] ?? 0) >= 0x80;
    const length = this.#integer(7);
    if (this.#at + length > this.#bytes.length) throw new MalformedHeaders('a string is cut off');
    const bytes = this.#bytes.subarray(this.#at, this.#at + length);
    this.#at += length;
    const text = isHuffman ? decodeHuffman(bytes) : String.fromCharCode(...bytes);
    if (text === undefined) throw new MalformedHeaders('a string is no Huffman code');
    return text;
  }

  #byte(): number {
    const byte = this.#bytes[this.#at++];
    if (byte === undefined) throw new MalformedHeaders('the headers are cut off');
    return byte;
  }
}

/** One byte that stands for a whole field, and changes nothing. */
const isKnownField = (byte: number): boolean => byte > 0x80 && byte < 0xff;

const bytesOf = ([name, value]: readonly [string, string]): number =>
  name.length + value.length + fieldBytesExtra;
