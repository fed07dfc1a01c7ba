/** A tag that changes with the bytes: two 32-bit FNV hashes, enough for documents of one server. */
export function entityTag(bytes: Uint8Array): string {
  let a = 0x811c9dc5;
  let b = 0x01000193;
  for (const byte of bytes) {
    a = Math.imul(a ^ byte, 0x01000193);
    b = Math.imul(b ^ (byte + 0x9e), 0x85ebca6b);
  }
  return `"${hex(a)}${hex(b)}${hex(bytes.length)}"`;
}

const hex = (value: number): string => (value >>> 0).toString(16).padStart(8, '0').toUpperCase();
