/** Base64 as Go's standard encoding decodes it. */

const illegal = /[^A-Za-z0-9+/]/;
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/**
 * The text after Go has decoded and encoded it: line breaks and stray trailing bits are removed. @throws Error with
 * Go's message
 */
export function canonicalBase64(text: string): string {
  if (isCanonical(text) && trailingBitsAreZero(text)) return text;
  const clean = text.replace(/[\r\n]/g, '');
  if (!isCanonical(clean)) throw new Error(`illegal base64 data at input byte ${firstIllegalByte(text)}`);
  return withZeroTrailingBits(clean);
}

/**
 * Groups of four, the last one padded. A regular expression over the whole text would exhaust its backtracking stack at
 * 20 MB.
 */
function isCanonical(text: string): boolean {
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  return text.length % 4 === 0 && !illegal.test(padding === 0 ? text : text.slice(0, -padding));
}

function trailingBitsAreZero(text: string): boolean {
  if (!text.endsWith('=')) return true;
  const [at, mask] = text.endsWith('==') ? [text.length - 3, 15] : [text.length - 2, 3];
  return (alphabet.indexOf(text.charAt(at)) & mask) === 0;
}

function withZeroTrailingBits(text: string): string {
  if (trailingBitsAreZero(text)) return text;
  const [padding, mask] = text.endsWith('==') ? ['==', 15] : ['=', 3];
  const at = text.length - padding.length - 1;
  return text.slice(0, at) + alphabet.charAt(alphabet.indexOf(text.charAt(at)) & ~mask) + padding;
}

/** Groups of four without line breaks; an incomplete group fails at its first byte. */
function firstIllegalByte(text: string): number {
  let inGroup = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === '\n' || character === '\r') continue;
    if (character === '=') return illegalPadding(text, at, inGroup);
    if (!alphabet.includes(character)) return byteOffset(text, at);
    inGroup = (inGroup + 1) % 4;
  }
  return byteOffset(text, text.length - inGroup);
}

function illegalPadding(text: string, at: number, inGroup: number): number {
  if (inGroup < 2) return at;
  const rest = [...text.slice(at + 1).matchAll(/[^\r\n]/g)].map(({ index }) => at + 1 + index);
  if (inGroup === 3) return rest[0] ?? at;
  const [second, third] = rest;
  if (second === undefined) return text.length;
  if (text.charAt(second) !== '=') return second - 1;
  return third ?? at;
}

const byteOffset = (text: string, at: number): number => new TextEncoder().encode(text.slice(0, at)).length;

/** Every engine supports this many arguments of a call. */
const charactersAtOnce = 8192;

/** Standard, with padding. */
export function toBase64(bytes: Uint8Array): string {
  let binary = '';
  for (let at = 0; at < bytes.length; at += charactersAtOnce)
    binary += String.fromCharCode(...bytes.subarray(at, at + charactersAtOnce));
  return btoa(binary);
}
