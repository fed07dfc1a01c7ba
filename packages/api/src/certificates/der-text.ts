/**
 * Decodes ASN.1 strings as Go does. They contain identities, so every reader of a certificate or of a request must see
 * the same name: invalid encodings are refused, and nothing is dropped.
 */
import { syntaxError } from './der.ts';

/** By tag. */
const readers: Readonly<Record<number, (content: Uint8Array) => string>> = {
  0x0c: (content) => decoded(utf8, content, 'invalid UTF-8 string'),
  0x12: (content) => matching(/^[0-9 ]*$/, content, 'NumericString'),
  0x13: (content) => matching(/^[A-Za-z0-9'()+,\-./ :=?*&]*$/, content, 'PrintableString'),
  0x14: (content) => latin1(content),
  // eslint-disable-next-line no-control-regex
  0x16: (content) => matching(/^[\u0000-\u007f]*$/, content, 'IA5String'),
  0x1e: twoBytesEach,
};

/**
 * Undefined for an unsupported type.
 * @param tag the identifier octet
 * @throws DerError when the bytes are invalid for the type
 */
export const derText = (tag: number, content: Uint8Array): string | undefined => readers[tag]?.(content);

/** A byte order mark is part of the name. */
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const utf16 = new TextDecoder('utf-16be', { fatal: true, ignoreBOM: true });

function decoded(decoder: TextDecoder, content: Uint8Array, problem: string): string {
  try {
    return decoder.decode(content);
  } catch {
    throw syntaxError(problem);
  }
}

/** Each byte is the code point of its character; the platform's decoder uses a different table for this encoding. */
function latin1(content: Uint8Array): string {
  let text = '';
  for (const byte of content) text += String.fromCharCode(byte);
  return text;
}

function matching(allowed: RegExp, content: Uint8Array, type: string): string {
  const text = latin1(content);
  if (!allowed.test(text)) throw syntaxError(`${type} contains invalid character`);
  return text;
}

/** Only characters of the basic plane; a trailing zero ends the string. */
function twoBytesEach(content: Uint8Array): string {
  const { length } = content;
  const isEnded = length >= 2 && content[length - 1] === 0 && content[length - 2] === 0;
  const text = decoded(utf16, isEnded ? content.subarray(0, length - 2) : content, 'invalid BMPString');
  if (/[\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]/.test(text)) throw syntaxError('invalid BMPString');
  return text;
}
