/** Strings: the extension library in the version that Kubernetes enables. */

import type { Library } from '../declarations/library.ts';
import { declareFunction, overload, type Implementation } from '../declarations/declaration.ts';
import { CelError } from '../values/error.ts';
import type { Int } from '../values/int.ts';
import { ArrayList } from '../values/list.ts';
import type { ListValue, Value } from '../values/value.ts';
import { valueText } from '../values/text.ts';
import { formatText } from '../formats/format-text.ts';

const outOfRange = (index: Int): CelError => new CelError(`index out of range: ${index}`);

function charAt(text: string, index: Int): Value {
  const characters = [...text];
  if (index < 0 || index > characters.length) return outOfRange(index);
  return characters[Number(index)] ?? '';
}

function indexOf(text: string, part: string, offset: Int = 0): Value {
  if (part === '') return offset;
  if (offset < 0) return outOfRange(offset);
  const characters = [...text];
  const sought = [...part];
  for (let start = Number(offset); start + sought.length <= characters.length; start++) {
    if (sought.every((character, index) => characters[start + index] === character)) return start;
  }
  return -1;
}

function lastIndexOf(text: string, part: string, offset?: Int): Value {
  const characters = [...text];
  const sought = [...part];
  if (offset === undefined) {
    if (part === '') return characters.length;
    if (characters.length < sought.length) return -1;
  }
  const from = offset ?? characters.length - 1;
  if (part === '') return from;
  if (from < 0) return outOfRange(from);
  if (from >= characters.length) return -1;
  for (let start = Math.min(Number(from), characters.length - sought.length); start >= 0; start--) {
    if (sought.every((character, index) => characters[start + index] === character)) return start;
  }
  return -1;
}

/** Replaces at most `count` occurrences; all of them if it is negative. */
function replace(text: string, old: string, replacement: string, count: Int = -1): Value {
  if (old === replacement || count === 0) return text;
  const pieces = old === '' ? [...text] : text.split(old);
  const limit = count < 0 ? Infinity : Number(count);
  if (old === '') return insertBetween(pieces, replacement, limit);
  const replaced = Math.min(limit, pieces.length - 1);
  const head = pieces.slice(0, replaced + 1).join(replacement);
  return [head, ...pieces.slice(replaced + 1)].join(old);
}

/** An empty string occurs before each character and at the end. */
function insertBetween(characters: readonly string[], replacement: string, limit: number): string {
  const places = Math.min(limit, characters.length + 1);
  const parts = characters.map((character, index) => (index < places ? replacement : '') + character);
  return parts.join('') + (places > characters.length ? replacement : '');
}

function split(text: string, separator: string, count: Int = -1): Value {
  if (count === 0) return new ArrayList([]);
  const pieces = separator === '' ? [...text] : text.split(separator);
  if (count < 0 || pieces.length <= count) return new ArrayList(pieces);
  const kept = Number(count) - 1;
  return new ArrayList([...pieces.slice(0, kept), pieces.slice(kept).join(separator)]);
}

function substring(text: string, start: Int, end?: Int): Value {
  const characters = [...text];
  const last = end ?? characters.length;
  if (end !== undefined && start > end) {
    return new CelError(`invalid substring range. start: ${start}, end: ${end}`);
  }
  if (start < 0 || start > characters.length) return outOfRange(start);
  if (last < 0 || last > characters.length) return outOfRange(last);
  return characters.slice(Number(start), Number(last)).join('');
}

function join(list: ListValue, separator = ''): Value {
  const items = list.items();
  const wrong = items.find((item) => typeof item !== 'string');
  return wrong === undefined
    ? items.join(separator)
    : new CelError(`join: invalid input: ${valueText(wrong)}`);
}

const lowerAscii = (text: string): string => text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
const upperAscii = (text: string): string => text.replaceAll(/[a-z]/g, (letter) => letter.toUpperCase());

/** Unicode whitespace, as Go trims it. */
const trim = (text: string): string => text.replaceAll(/^[\p{White_Space}]+|[\p{White_Space}]+$/gu, '');

const quoteEscapes: Readonly<Record<string, string>> = {
  '\u0007': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '\\': '\\\\',
  '"': '\\"',
};

// oxlint-disable-next-line no-control-regex
const quoted = /["\\\b\f\n\r\t\v\u0007]/g;

const quote = (text: string): string =>
  `"${text.toWellFormed().replaceAll(quoted, (character) => quoteEscapes[character]!)}"`;

const one = (id: string, signature: string, evaluate: unknown) =>
  overload(id, signature, evaluate as Implementation);

export const stringsLibrary: Library = {
  functions: [
    declareFunction('charAt', [one('string_char_at_int', 'string.(int) -> string', charAt)]),
    declareFunction('format', [one('string_format', 'string.(list(dyn)) -> string', formatText)]),
    declareFunction('indexOf', [
      one('string_index_of_string', 'string.(string) -> int', indexOf),
      one('string_index_of_string_int', 'string.(string, int) -> int', indexOf),
    ]),
    declareFunction('join', [
      one('list_join', 'list(string).() -> string', join),
      one('list_join_string', 'list(string).(string) -> string', join),
    ]),
    declareFunction('lastIndexOf', [
      one('string_last_index_of_string', 'string.(string) -> int', lastIndexOf),
      one('string_last_index_of_string_int', 'string.(string, int) -> int', lastIndexOf),
    ]),
    declareFunction('lowerAscii', [one('string_lower_ascii', 'string.() -> string', lowerAscii)]),
    declareFunction('replace', [
      one('string_replace_string_string', 'string.(string, string) -> string', replace),
      one('string_replace_string_string_int', 'string.(string, string, int) -> string', replace),
    ]),
    declareFunction('split', [
      one('string_split_string', 'string.(string) -> list(string)', split),
      one('string_split_string_int', 'string.(string, int) -> list(string)', split),
    ]),
    declareFunction('strings.quote', [one('strings_quote', '(string) -> string', quote)]),
    declareFunction('substring', [
      one('string_substring_int', 'string.(int) -> string', substring),
      one('string_substring_int_int', 'string.(int, int) -> string', substring),
    ]),
    declareFunction('trim', [one('string_trim', 'string.() -> string', trim)]),
    declareFunction('upperAscii', [one('string_upper_ascii', 'string.() -> string', upperAscii)]),
  ],
};
