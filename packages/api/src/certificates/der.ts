/** The small part of ASN.1's DER that certificate requests need, with the messages of Go's encoding/asn1. */

export class DerError extends Error {}

export interface DerElement {
  readonly content: Uint8Array;
  /** Including its tag and length. */
  readonly whole: Uint8Array;
  /** The offset of the next element. */
  readonly end: number;
}

/** The expected universal tag of a field, and the name of its type in Go's messages. */
export interface Expected {
  readonly tag: number;
  readonly isCompound: boolean;
  readonly goType: string;
}

export const sequenceOf = (goType: string): Expected => ({ tag: 16, isCompound: true, goType });
export const integer: Expected = { tag: 2, isCompound: false, goType: 'int' };
export const objectIdentifier: Expected = { tag: 6, isCompound: false, goType: 'ObjectIdentifier' };
export const bitString: Expected = { tag: 3, isCompound: false, goType: 'BitString' };

/** @throws DerError when there is no element, or an unexpected one */
export function readElement(bytes: Uint8Array, start: number, expected?: Expected): DerElement {
  if (start >= bytes.length) throw syntaxError('sequence truncated');
  const header = readHeader(bytes, start);
  if (expected !== undefined && !isAs(header, expected)) throw mismatch(header, expected);
  const end = header.contentAt + header.length;
  if (end > bytes.length) throw syntaxError('data truncated');
  return { content: bytes.subarray(header.contentAt, end), whole: bytes.subarray(start, end), end };
}

export const syntaxError = (text: string): DerError => new DerError(`asn1: syntax error: ${text}`);
const structureError = (text: string): DerError => new DerError(`asn1: structure error: ${text}`);

interface Header {
  readonly tagClass: number;
  readonly tag: number;
  readonly length: number;
  readonly isCompound: boolean;
  readonly contentAt: number;
}

function readHeader(bytes: Uint8Array, start: number): Header {
  const first = bytes[start]!;
  const tag = readTag(bytes, start);
  const { length, at } = readLength(bytes, tag.at);
  return {
    tagClass: first >> 6,
    tag: tag.value,
    length,
    isCompound: (first & 0x20) !== 0,
    contentAt: at,
  };
}

const longTag = 0x1f;

function readTag(bytes: Uint8Array, start: number): { readonly value: number; readonly at: number } {
  const short = bytes[start]! & longTag;
  if (short !== longTag) return { value: short, at: start + 1 };
  let value = 0;
  for (let at = start + 1; at < bytes.length; at++) {
    if (at - start > 4) throw structureError('base 128 integer too large');
    const byte = bytes[at]!;
    if (at === start + 1 && byte === 0x80) throw syntaxError('integer is not minimally encoded');
    value = value * 128 + (byte & 0x7f);
    if ((byte & 0x80) !== 0) continue;
    if (value < longTag) throw syntaxError('non-minimal tag');
    return { value, at: at + 1 };
  }
  throw syntaxError('truncated base 128 integer');
}

const lengthMax = 2 ** 23;

function readLength(bytes: Uint8Array, start: number): { readonly length: number; readonly at: number } {
  const first = bytes[start];
  if (first === undefined) throw syntaxError('truncated tag or length');
  if (first < 0x80) return { length: first, at: start + 1 };
  if (first === 0x80) throw syntaxError('indefinite length found (not DER)');
  const end = start + 1 + (first & 0x7f);
  let length = 0;
  for (let at = start + 1; at < end; at++) {
    if (at >= bytes.length) throw syntaxError('truncated tag or length');
    if (length >= lengthMax) throw structureError('length too large');
    length = length * 256 + bytes[at]!;
    if (length === 0) throw structureError('superfluous leading zeros in length');
  }
  if (length < 0x80) throw structureError('non-minimal length');
  return { length, at: end };
}

const isAs = ({ tagClass, tag, isCompound }: Header, expected: Expected): boolean =>
  tagClass === 0 && tag === expected.tag && isCompound === expected.isCompound;

function mismatch(header: Header, { tag, goType }: Expected): DerError {
  const { tagClass, length, isCompound, contentAt } = header;
  const found = `{class:${tagClass} tag:${header.tag} length:${length} isCompound:${isCompound}}`;
  const parameters =
    '{optional:false explicit:false application:false private:false defaultValue:<nil> tag:<nil> stringType:0 timeType:0 set:false omitEmpty:false}';
  return structureError(`tags don't match (${tag} vs ${found}) ${parameters} ${goType} @${contentAt}`);
}

/** An object identifier as text: `1.2.840.113549.1.1.11`. */
export function oidText(content: Uint8Array): string {
  const numbers: number[] = [];
  let value = 0;
  for (const byte of content) {
    value = value * 128 + (byte & 0x7f);
    if ((byte & 0x80) !== 0) continue;
    if (numbers.length === 0) {
      const root = Math.min(Math.floor(value / 40), 2);
      numbers.push(root, value - root * 40);
    } else numbers.push(value);
    value = 0;
  }
  return numbers.join('.');
}
