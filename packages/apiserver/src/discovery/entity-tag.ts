/** Computes the ETag of a document that is sent in pieces; the hashes of unchanged pieces are cached. */
export function entityTag(chunks: readonly Uint8Array[]): string {
  if (chunks.length === 1) return tagOf(chunks[0]!);
  return tagOf(encoder.encode(chunks.map(knownTagOf).join('')));
}

const encoder = new TextEncoder();
const knownTags = new WeakMap<Uint8Array, string>();

function knownTagOf(bytes: Uint8Array): string {
  let tag = knownTags.get(bytes);
  if (tag === undefined) knownTags.set(bytes, (tag = tagOf(bytes)));
  return tag;
}

/** A tag from two 32-bit FNV hashes, which suffices for the documents of one server. */
function tagOf(bytes: Uint8Array): string {
  let a = 0x811c9dc5;
  let b = 0x01000193;
  const mix = (value: number): void => {
    a = Math.imul(a ^ value, 0x01000193);
    // The low bits of a product depend only on low bits, so the high bits of each word are mixed in.
    a ^= a >>> 15;
    b = Math.imul(b ^ (value + 0x9e), 0x85ebca6b);
    b ^= b >>> 13;
  };
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const wholeWords = bytes.length - (bytes.length % 4);
  for (let at = 0; at < wholeWords; at += 4) mix(view.getInt32(at, true));
  for (let at = wholeWords; at < bytes.length; at++) mix(bytes[at]!);
  return `"${hex(a)}${hex(b)}${hex(bytes.length)}"`;
}

const hex = (value: number): string => (value >>> 0).toString(16).padStart(8, '0').toUpperCase();
