/** Base64 as Go's standard encoding reads it. */

const canonicalShape = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Go reads the text and writes it anew: line breaks and stray bits at the end are lost. @throws Error with Go's text */
export function canonicalBase64(text: string): string {
  if (canonicalShape.test(text) && trailingBitsAreZero(text)) return text;
  const clean = text.replace(/[\r\n]/g, '');
  if (!canonicalShape.test(clean))
    throw new Error(`illegal base64 data at input byte ${firstIllegalByte(text)}`);
  return withZeroTrailingBits(clean);
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

/** Groups of four, line breaks left out; an unfinished group fails at its first byte. */
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

/** Standard, with padding. */
export function toBase64(bytes: Uint8Array): string {
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}
