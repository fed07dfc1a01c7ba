/** Attributes of netlink messages: length, type and value, padded to multiples of four bytes. */

const headLength = 4;
const isNested = 0x8000;
/** The length field has two bytes. */
const lengthMax = 0xffff;

/** @throws RangeError if the value is too long for one attribute */
export function attribute(type: number, value: Uint8Array): Uint8Array {
  const length = headLength + value.length;
  if (length > lengthMax) throw new RangeError(`an attribute of ${length} bytes`);
  const bytes = new Uint8Array(aligned(length));
  const view = new DataView(bytes.buffer);
  view.setUint16(0, length, true);
  view.setUint16(2, type, true);
  bytes.set(value, headLength);
  return bytes;
}

export const nested = (type: number, ...inner: readonly Uint8Array[]): Uint8Array =>
  attribute(type | isNested, joined(inner));

/** Null-terminated. */
export const text = (type: number, value: string): Uint8Array =>
  attribute(type, new TextEncoder().encode(`${value}\0`));

/** Filter expressions use network byte order. */
export function number(type: number, value: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value >>> 0);
  return attribute(type, bytes);
}

export function joined(parts: readonly Uint8Array[]): Uint8Array {
  let length = 0;
  for (const part of parts) length += part.length;
  const bytes = new Uint8Array(length);
  let offset = 0;
  for (const part of parts) {
    bytes.set(part, offset);
    offset += part.length;
  }
  return bytes;
}

export const aligned = (length: number): number => (length + 3) & ~3;
