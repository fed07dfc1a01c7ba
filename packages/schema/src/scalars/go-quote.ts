/**
 * Go's formats of values in messages. Clients and tests compare these texts, so the API's messages must quote exactly
 * as `%q` and `encoding/json` do.
 */

import { bigintsAsNumbers } from './raw-number.ts';

/** `%q` of a string: double quotes, with everything escaped that Go considers unprintable. */
export const goQuote = (text: string): string => `"${text.replace(notPlain, quotedCharacter)}"`;

/** Everything but printable ASCII that needs no escape: of a text, usually nothing. */
const notPlain = /[^ !#-[\]-~]/gu;

/** As Go's time package quotes what it cannot parse: non-ASCII bytes one by one. */
export function goTimeQuote(text: string): string {
  let quoted = '"';
  for (const byte of new TextEncoder().encode(text)) {
    if (byte < 0x20 || byte >= 0x80) quoted += `\\x${hex(byte, 2)}`;
    else
      quoted += byte === 0x22 || byte === 0x5c ? `\\${String.fromCharCode(byte)}` : String.fromCharCode(byte);
  }
  return `${quoted}"`;
}

/** `encoding/json` of a value: compact unless indented, and with `<`, `>`, `&` and the line separators escaped. */
export function goJson(value: unknown, indent?: number): string {
  const text = JSON.stringify(value === undefined ? null : value, bigintsAsNumbers, indent);
  return text.replace(/[<>&\u2028\u2029]/g, (character) => unicodeEscape(character.charCodeAt(0)));
}

/** `%v` of a float64, also `strconv.FormatFloat(value, 'g', -1, 64)`: with an exponent from 1e6 on and below 1e-4. */
export function goFloat(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf';
  if (value === 0) return Object.is(value, -0) ? '-0' : '0';
  const exponential = value.toExponential();
  const exponent = Number(exponential.slice(exponential.indexOf('e') + 1));
  return exponent < -4 || exponent >= 6 ? goExponent(exponential) : String(value);
}

/** Go writes exponents with at least two digits. */
const goExponent = (text: string): string => text.replace(/e([+-])(\d)$/, 'e$10$2');

const namedEscapes: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\u0007': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
};

/** What unicode.IsPrint accepts: letters, marks, numbers, punctuation, symbols and the ASCII space. */
const printable = /[\p{L}\p{M}\p{N}\p{P}\p{S} ]/u;

export const isPrintable = (character: string): boolean => printable.test(character);

function quotedCharacter(character: string): string {
  const named = namedEscapes[character];
  if (named !== undefined) return named;
  const code = character.codePointAt(0)!;
  if (code >= 0xd800 && code <= 0xdfff) return '\uFFFD';
  if (isPrintable(character)) return character;
  if (code < 0x80) return `\\x${hex(code, 2)}`;
  return code < 0x10000 ? unicodeEscape(code) : `\\U${hex(code, 8)}`;
}

const unicodeEscape = (code: number): string => `\\u${hex(code, 4)}`;
const hex = (code: number, digits: number): string => code.toString(16).padStart(digits, '0');
