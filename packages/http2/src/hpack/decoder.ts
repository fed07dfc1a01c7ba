import { ConnectionFailure, errorCodes } from '../frames/frame.ts';
import { fieldBytes, headerField, type HeaderField } from './header-field.ts';
import { decodeHuffman } from './huffman.ts';
import { staticFields } from './static-fields.ts';

/** What the client is told nothing else about: RFC 7541's default. */
const tableBytesMax = 4096;
/** A list that is longer than we told by this much is given up, and the connection with it. */
const listBytesExcess = 2;

const none = Buffer.alloc(0);

/** Blocks that are remembered as a whole, at a byte for each field. */
const repeatedBytesMax = 64;

/** Decodes the header blocks of one connection, in their order (HPACK, RFC 7541). */
export class HpackDecoder {
  readonly #listBytesMax: number;
  /** Newest first. */
  #table: HeaderField[] = [];
  #tableBytes = 0;
  #tableBytesMax = tableBytesMax;
  /** Clients repeat themselves: what the last block meant, as long as it means that. */
  #last: { readonly block: Buffer; readonly fields: readonly HeaderField[] } | undefined;
  #bytes: Buffer = none;
  #at = 0;
  #end = 0;

  /** @param listBytesMax all fields of a block, as RFC 7541 counts them */
  constructor(listBytesMax: number) {
    this.#listBytesMax = listBytesMax;
  }

  /**
   * Equal blocks may give the same array. Undefined when the list is longer than it may be: the block is read all
   * the same, since later ones depend on it.
   * @throws ConnectionFailure, for what is no HPACK, and where reading on would cost too much
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

  /** Whether these are the fields of a block that may come again. */
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

  /** Changes of the table's size come before all fields. */
  #readResizes(): void {
    while (this.#at < this.#end && this.#bytes[this.#at]! >>> 5 === 0b001) this.#resize(this.#integer(5));
  }

  /** The first bits tell which kind comes. */
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

  /** In the last `bits` of this byte, or in the bytes after it when those are all ones. */
  #integer(bits: number): number {
    const mask = (1 << bits) - 1;
    let value = this.#byte() & mask;
    if (value < mask) return value;
    // Nothing here is as large as four such bytes can tell.
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

/** Whether the block is made of fields that are known by one byte each: such a block leaves the table as it is. */
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
