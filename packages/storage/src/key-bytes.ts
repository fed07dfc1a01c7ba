/**
 * Keys of the API are text; keys of an engine are byte strings (one character per byte) so that they sort like their
 * UTF-8 bytes. For ASCII, which is nearly everything, both are the same string.
 */

// oxlint-disable-next-line no-control-regex -- the range of ASCII is meant
const ascii = /^[\x00-\x7f]*$/;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** The byte string of a text: its UTF-8 bytes, one character each. */
export function toByteString(text: string): string {
  if (ascii.test(text)) return text;
  return byteStringOf(encoder.encode(text));
}

/** The text of a byte string; invalid UTF-8 becomes U+FFFD. */
export function fromByteString(key: string): string {
  return ascii.test(key) ? key : decoder.decode(bytesOf(key));
}

export function byteStringOf(bytes: Uint8Array): string {
  let key = '';
  for (let i = 0; i < bytes.length; i += chunkBytes) {
    key += String.fromCharCode(...bytes.subarray(i, i + chunkBytes));
  }
  return key;
}

export function bytesOf(key: string): Uint8Array {
  const bytes = new Uint8Array(key.length);
  for (let i = 0; i < key.length; i++) bytes[i] = key.charCodeAt(i);
  return bytes;
}

/** The number of arguments of a call is limited by the stack. */
const chunkBytes = 4096;

/** The end of a range without an upper bound. */
export const endOfKeys = '\u0100';
