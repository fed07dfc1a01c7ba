import { connectionSpecific } from './header-field.ts';
import { staticFields } from './static-fields.ts';

/** Names are in lower case. */
export type SentHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The default of RFC 7541, which clients rarely reduce. */
const tableBytesDefault = 4096;

/** Fields whose values repeat on most responses of a connection; of other fields, only the name is worth indexing. */
const repeating: ReadonlySet<string> = new Set([
  'cache-control',
  'content-encoding',
  'content-type',
  'grpc-status',
  'strict-transport-security',
  'vary',
  'x-content-type-options',
  'x-kubernetes-pf-flowschema-uid',
  'x-kubernetes-pf-prioritylevel-uid',
]);

/**
 * Encodes the response headers of one connection (HPACK, RFC 7541). Entries are never evicted: once the table is full,
 * fields are sent as literals. So the position of an entry never changes.
 */
export class HpackEncoder {
  /** By name and by value: the number of entries before it. */
  readonly #places = new Map<string, Map<string, number>>();
  #entries = 0;
  #tableBytesLeft = tableBytesDefault;
  #sendsSize = false;

  /** The table size of the client's decoder. A table smaller than the default is not used at all. */
  setTableBytes(bytes: number): void {
    if (bytes >= tableBytesDefault || this.#tableBytesLeft < 0) return;
    this.#places.clear();
    this.#tableBytesLeft = -1;
    this.#sendsSize = true;
  }

  /** No block is longer. */
  bytesMost(headers: SentHeaders): number {
    let bytes = statusBytesMost;
    for (const name in headers) {
      const value = headers[name];
      if (typeof value === 'string') bytes += name.length + value.length + numbersBytesMost;
      else for (const each of valuesOf(value)) bytes += name.length + String(each).length + numbersBytesMost;
    }
    return bytes;
  }

  /**
   * Writes the block at `at`, where {@link bytesMost} bytes must be available; returns its end.
   * @param status undefined for trailers
   */
  encode(target: Buffer, start: number, status: number | undefined, headers: SentHeaders): number {
    let at = start;
    if (this.#sendsSize) {
      this.#sendsSize = false;
      target[at++] = 0b0010_0000;
    }
    if (status !== undefined) at = writeStatus(target, at, status);
    for (const name in headers) {
      const value = headers[name];
      if (typeof value === 'string') at = this.#encodeField(target, at, name, value);
      else for (const each of valuesOf(value)) at = this.#encodeField(target, at, name, String(each));
    }
    return at;
  }

  #encodeField(target: Buffer, start: number, name: string, value: string): number {
    if (repeating.has(name)) {
      const place = this.#places.get(name)?.get(value);
      if (place !== undefined)
        return writeInteger(target, start, 0x80, 7, staticFields.length + this.#entries - place);
      if (this.#remember(name, value))
        return writeString(target, writePrefix(target, start, name, 0x40), value);
    }
    const at = writePrefix(target, start, name, 0);
    return at === start ? at : writeString(target, at, value);
  }

  #remember(name: string, value: string): boolean {
    const bytes = name.length + value.length + 32;
    if (bytes > this.#tableBytesLeft) return false;
    this.#tableBytesLeft -= bytes;
    let values = this.#places.get(name);
    if (values === undefined) this.#places.set(name, (values = new Map()));
    values.set(value, this.#entries++);
    return true;
  }
}

/** Values from other servers may not be text, whatever their type says. */
const valuesOf = (value: unknown): readonly unknown[] =>
  value === undefined ? [] : Array.isArray(value) ? value : [value];

/** Two string lengths and the first byte. */
const numbersBytesMost = 12;
const statusBytesMost = 6;

const fullyKnown = new Map(
  staticFields.flatMap(({ name, value }, index) =>
    name === ':status' ? [[Number(value), 0x80 | (index + 1)] as const] : [],
  ),
);
const knownNames = new Map(staticFields.map(({ name }, index) => [name, index + 1] as const).reverse());
const statusName = knownNames.get(':status')!;

function writeStatus(target: Buffer, start: number, status: number): number {
  const known = fullyKnown.get(status);
  if (known !== undefined) {
    target[start] = known;
    return start + 1;
  }
  target[start] = statusName;
  return writeString(target, start + 1, String(status));
}

/** The first bytes of a field by its name: the representation, and the name as an index or literal. */
const prefixes = { 0: new Map<string, Buffer>(), 0x40: new Map<string, Buffer>() };
/** Names sent by proxied servers are arbitrary. */
const prefixesMax = 500;

function writePrefix(target: Buffer, start: number, name: string, kind: 0 | 0x40): number {
  const kept = prefixes[kind];
  let prefix = kept.get(name);
  if (prefix === undefined) {
    prefix = prefixOf(name, kind);
    if (kept.size < prefixesMax) kept.set(name, prefix);
  }
  for (let at = 0; at < prefix.length; at++) target[start + at] = prefix[at]!;
  return start + prefix.length;
}

/** Empty for headers that HTTP/2 does not allow. */
function prefixOf(name: string, kind: 0 | 0x40): Buffer {
  if (connectionSpecific.has(name)) return Buffer.alloc(0);
  const known = knownNames.get(name);
  const prefix = Buffer.alloc(name.length + numbersBytesMost);
  if (known !== undefined)
    return prefix.subarray(0, writeInteger(prefix, 0, kind, kind === 0 ? 4 : 6, known));
  prefix[0] = kind;
  return prefix.subarray(0, writeString(prefix, 1, name));
}

/** One byte per character. */
function writeString(target: Buffer, start: number, text: string): number {
  const at = writeInteger(target, start, 0, 7, text.length);
  if (text.length > longText) return at + target.write(text, at, 'latin1');
  for (let index = 0; index < text.length; index++) target[at + index] = text.charCodeAt(index);
  return at + text.length;
}

/** From this length on, a call into native code pays off. */
const longText = 64;

function writeInteger(target: Buffer, start: number, firstBits: number, bits: number, value: number): number {
  const mask = (1 << bits) - 1;
  let at = start;
  if (value < mask) {
    target[at++] = firstBits | value;
    return at;
  }
  target[at++] = firstBits | mask;
  let rest = value - mask;
  for (; rest >= 0x80; rest >>>= 7) target[at++] = (rest & 0x7f) | 0x80;
  target[at++] = rest;
  return at;
}
