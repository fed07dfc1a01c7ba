/** JSON text as Go's encoding/json writes it: `<`, `>`, `&` and the line separators are escaped. */

import { JsonNumber, JsonObject, type JsonTree } from './tree.ts';
import { bigintsAsNumbers, isRawNumber } from '../scalars/raw-number.ts';

/** Characters that JSON text may contain unescaped; surrogates take the slow path, since they may be unpaired. */
const needsEscape = /[^ !#-%'-;=?-[\]-\u2027\u202a-\ud7ff\ue000-\uffff]/;
const goEscapes = /[<>&\u2028\u2029]/g;

export function quoted(text: string): string {
  return needsEscape.test(text)
    ? escapedForGo(JSON.stringify(text.isWellFormed() ? text : text.toWellFormed()))
    : `"${text}"`;
}

/** Any value; bigints and raw numbers with all digits, members in their order. */
export function writeAny(value: unknown): string {
  if (value === undefined) return 'null';
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch {
    // JSON.stringify throws for bigints, which are rare enough to be detected this way.
    text = JSON.stringify(value, bigintsAsNumbers);
  }
  return escapedForGo(text ?? 'null');
}

/** Like {@link writeAny}, with the members of every object sorted, as Go writes untyped values. */
export function writeSorted(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(writeSorted).join(',')}]`;
  if (typeof value === 'string') return quoted(value);
  if (typeof value !== 'object' || value === null || isRawNumber(value)) return writeAny(value);
  const object = value as Record<string, unknown>;
  let text = '';
  for (const name of Object.keys(object).sort()) {
    if (object[name] !== undefined)
      text += `${text === '' ? '' : ','}${quoted(name)}:${writeSorted(object[name])}`;
  }
  return `{${text}}`;
}

/** What was read without loss, as it was written, but without spaces. */
export function writeTree(tree: JsonTree): string {
  if (tree instanceof JsonNumber) return tree.text;
  if (Array.isArray(tree)) return `[${tree.map(writeTree).join(',')}]`;
  if (!(tree instanceof JsonObject)) return writeAny(tree);
  return `{${tree.names.map((name, at) => `${quoted(name)}:${writeTree(tree.values[at]!)}`).join(',')}}`;
}

function escapedForGo(text: string): string {
  return text.replace(
    goEscapes,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
