/** Rules for the names of field managers. */
import { invalidError, tooLongError, type FieldError } from './field-error.ts';
import type { FieldPath } from './field-path.ts';
import { isPrintable } from './go-quote.ts';

/** In bytes. */
export const fieldManagerLengthMax = 128;

/** What nearly all names are, and what needs no further look. */
const plainName = /^[ -~]{0,128}$/;

/** What is wrong with the name of a field manager: its length, or characters that cannot be printed. */
export function fieldManagerErrors(manager: string, path: FieldPath | string): readonly FieldError[] {
  if (plainName.test(manager)) return [];
  const encoder = new TextEncoder();
  const errors: FieldError[] = [];
  if (encoder.encode(manager).length > fieldManagerLengthMax)
    errors.push(tooLongError(path, fieldManagerLengthMax));
  let position = 0;
  for (const character of manager) {
    if (!isPrintable(character)) {
      const code = character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0');
      errors.push(invalidError(path, manager, `invalid character U+${code} (at position ${position})`));
    }
    position += encoder.encode(character).length;
  }
  return errors;
}
