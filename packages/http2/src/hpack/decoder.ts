import { ConnectionFailure, errorCodes } from '../frames/frame.ts';
import { fieldBytes, headerField, type HeaderField } from './header-field.ts';
import { decodeHuffman } from './huffman.ts';
import { staticFields } from './static-fields.ts';

/** The default of RFC 7541; the client is not told otherwise. */
const tableBytesMax = 4096;
/** A list that exceeds the announced maximum by this much ends the connection. */
const listBytesExcess = 2;

const none = Buffer.alloc(0);

/** Blocks up to this size are remembered as a whole, at one byte per field. */
const repeatedBytesMax = 64;

/** Decodes the header blocks of one connection, in order (HPACK, RFC 7541). */
export class HpackDecoder {
  readonly #listBytesMax: number;
  /** Newest first. */
  #table: HeaderField[] = [];
  #tableBytes = 0;
  #tableBytesMax = tableBytesMax;
  /** The result of the last block. Clients repeat themselves, and it stays valid until the table changes. */
  #last: { readonly block: Buffer; readonly fields: readonly HeaderField[] } | undefined;
  #bytes: Buffer = none;
  #at = 0;
  #end = 0;

  /** @param listBytesMax the size of all fields of a block, as RFC 7541 counts it */
  constructor(listBytesMax: number) {
    this.#listBytesMax = listBytesMax;
  }

  /**
   * Equal blocks may return the same array. Returns undefined if the list is too long; the block is still read, since
   * later ones depend on it.
   * @throws ConnectionFailure if it is not HPACK, or if reading on would cost too much
   */
  decode(bytes: Buffer, start = 0, end = bytes.length): readonly HeaderField[] | undefined {
    if (this.#last !== undefined && isSame(this.#last.block, bytes, start, end)) return this.#last.fields;
    const fields = this.#decode(bytes, start, end);
    this.#last =
      fields !== undefined && end - start <= repeatedBytesMax && changesNothing(bytes, start, end)
        ? { block: Buffer.from(bytes.subarray(start, end)), fields }
        : undefined;
    return fields;
  }

  /** Whether the block is worth remembering. */
  repeats(fields: readonly HeaderField[]): boolean {
    return this.#last?.fields === fields;
  }

  #decode(bytes: Buffer, start: number, end: number): readonly HeaderField[] | undefined {
    this.#bytes = bytes;
    this.#at = start;
    this.#end = end;
    this.#readResizes();
    const fields: HeaderField[] = [];
    let listBytes = 0;
    while (this.#at < end) {
      const field = this.#nextField();
      listBytes += fieldBytes(field);
      if (listBytes <= this.#listBytesMax) fields.push(field);
      else if (listBytes > this.#listBytesMax * listBytesExcess)
        throw new ConnectionFailure(errorCodes.enhanceYourCalm, `headers of ${listBytes} bytes`);
    }
    this.#bytes = none;
    return listBytes > this.#listBytesMax ? undefined : fields;
  }

  /** Table size updates precede all fields. */
  #readResizes(): void {
    while (this.#at < this.#end && this.#bytes[this.#at]! >>> 5 === 0b001) this.#resize(this.#integer(5));
  }

  /** The first bits determine the representation. */
  #nextField(): HeaderField {
    const first = this.#bytes[this.#at]!;
    if (first >= 0b1000_0000) return this.#known(this.#integer(7));
    if (first >= 0b0100_0000) {
      const field = this.#literal(6);
      this.#remember(field);
      return field;
    }
    if (first >= 0b0010_0000) throw noHpack('the size of the table changes between fields');
    return this.#literal(4);
  }

  #literal(indexBits: number): HeaderField {
    const index = this.#integer(indexBits);
    const name = index === 0 ? this.#string() : this.#known(index).name;
    return headerField(name, this.#string());
  }

  #known(index: number): HeaderField {
    const field =
      index <= staticFields.length ? staticFields[index - 1] : this.#table[index - staticFields.length - 1];
    if (field === undefined) throw noHpack(`there is no field ${index}`);
    return field;
  }

  #remember(field: HeaderField): void {
    const bytes = fieldBytes(field);
    this.#evict(this.#tableBytesMax - bytes);
    if (bytes > this.#tableBytesMax) return;
    this.#table.unshift(field);
    this.#tableBytes += bytes;
  }

  #resize(bytesMax: number): void {
    if (bytesMax > tableBytesMax) throw noHpack(`a table of ${bytesMax} bytes was not agreed on`);
    this.#tableBytesMax = bytesMax;
    this.#evict(bytesMax);
  }

  #evict(bytesMax: number): void {
    while (this.#tableBytes > bytesMax && this.#table.length > 0)
      this.#tableBytes -= fieldBytes(this.#table.pop()!);
  }

  /** Encoded in the last `bits` of this byte, or in the following bytes if those bits are all ones. */
  #integer(bits: number): number {
    const mask = (1 << bits) - 1;
    let value = this.#byte() & mask;
    if (value < mask) return value;
    // No number here needs more than four such bytes.
    for (let shift = 0; shift < 28; shift += 7) {
      const byte = this.#byte();
      value += (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    throw noHpack('a number is too long');
  }

  #string(): string {
    const isHuffman = (this.#bytes[this.#at] ?? 0) >= 0x80;
    const length = this.#integer(7);
    const start = this.#at;
    const end = start + length;
    if (end > this.#end) throw noHpack('a string is cut off');
    this.#at = end;
    if (!isHuffman) return this.#bytes.toString('latin1', start, end);
    const text = decodeHuffman(this.#bytes, start, end);
    if (text === undefined) throw noHpack('a string is no Huffman code');
    return text;
  }

  #byte(): number {
    if (this.#at >= this.#end) throw noHpack('the headers are cut off');
    return this.#bytes[this.#at++]!;
  }
}

/** Whether every field of the block is an index of one byte; such a block leaves the table unchanged. */
function changesNothing(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (bytes[at]! <= 0x80 || bytes[at] === 0xff) return false;
  return true;
}

function isSame(block: Uint8Array, bytes: Uint8Array, start: number, end: number): boolean {
  if (block.length !== end - start) return false;
  for (let at = 0; at < block.length; at++) if (block[at] !== bytes[start + at]) return false;
  return true;
}

const noHpack = (what: string): ConnectionFailure => new ConnectionFailure(errorCodes.compression, what);
