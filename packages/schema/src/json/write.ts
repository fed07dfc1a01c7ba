/** JSON text as Go's encoding/json writes it: `<`, `>`, `&` and the line separators are escaped. */

import { rawNumber } from './raw.ts';

/** What can stand in a JSON text as it is; surrogates go the slow way, since they may be alone. */
const needsEscape = /[^ !#-%'-;=?-[\]-\u2027\u202a-\ud7ff\ue000-\uffff]/;
const goEscapes = /[<>&\u2028\u2029]/g;

export function quoted(text: string): string {
  return needsEscape.test(text)
    ? escapedForGo(JSON.stringify(text.isWellFormed() ? text : text.toWellFormed()))
    : `"${text}"`;
}

/** Any value; bigints and raw numbers digit by digit, members in their order. */
export function writeAny(value: unknown): string {
  if (value === undefined) return 'null';
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch {
    // JSON.stringify refuses bigints, which are rare enough to be found this way.
    text = JSON.stringify(value, (_name, member: unknown) =>
      typeof member === 'bigint' ? rawNumber(member.toString()) : member,
    );
  }
  return escapedForGo(text ?? 'null');
}

function escapedForGo(text: string): string {
  return text.replace(
    goEscapes,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
