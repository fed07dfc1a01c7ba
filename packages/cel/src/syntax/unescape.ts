/** The value of a string or bytes literal, without its quotes and escapes. */

export class UnescapeError extends Error {}

/** @throws UnescapeError with the message of the issue */
export function unescapeString(literal: string): string {
  const { body, isRaw } = unquote(literal);
  if (isRaw || !body.includes('\\')) return body;
  return body.replaceAll(escapeSequence, (sequence, byte, short, long, octal) => {
    const hex: string | undefined = byte ?? short ?? long;
    if (hex !== undefined) return codePoint(parseInt(hex, 16));
    if (octal !== undefined) return codePoint(parseInt(octal, 8));
    return named[sequence[1]!] ?? '';
  });
}

/** Code point escapes are not allowed in bytes: `\x` and octal escapes are single bytes. */
export function unescapeBytes(literal: string): Uint8Array {
  const { body, isRaw } = unquote(literal);
  if (isRaw || !body.includes('\\')) return encoder.encode(body);
  const bytes: number[] = [];
  let end = 0;
  for (const found of body.matchAll(escapeSequence)) {
    bytes.push(...encoder.encode(body.slice(end, found.index)));
    end = found.index + found[0].length;
    bytes.push(byteOf(found));
  }
  bytes.push(...encoder.encode(body.slice(end)));
  return Uint8Array.from(bytes);
}

const encoder = new TextEncoder();
const escapeSequence = /\\(?:[xX]([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-3][0-7]{2})|.)/gs;
const named: Readonly<Record<string, string>> = {
  a: '\u0007',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
  "'": "'",
  '"': '"',
  '`': '`',
  '?': '?',
};

function unquote(literal: string): { body: string; isRaw: boolean } {
  const text = literal.replaceAll(/\r\n?/g, '\n');
  const isRaw = text[0] === 'r' || text[0] === 'R';
  const quoted = isRaw ? text.slice(1) : text;
  const quoteLength = quoted.length >= 6 && /^("""|''')/.test(quoted) ? 3 : 1;
  return { body: quoted.slice(quoteLength, -quoteLength), isRaw };
}

function codePoint(value: number): string {
  if (value > 0x10ffff || (value >= 0xd800 && value <= 0xdfff))
    throw new UnescapeError('invalid unicode code point');
  return String.fromCodePoint(value);
}

function byteOf([sequence, byte, short, long, octal]: RegExpExecArray): number {
  if (byte !== undefined) return parseInt(byte, 16);
  if (octal !== undefined) return parseInt(octal, 8);
  if (short !== undefined || long !== undefined) throw new UnescapeError('unable to unescape string');
  return named[sequence[1]!]?.charCodeAt(0) ?? 0;
}
