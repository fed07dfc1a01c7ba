/** Validates the names of field managers. */
import { invalidError, tooLongError, type FieldError } from './field-error.ts';
import type { FieldPath } from './field-path.ts';
import { isPrintable } from './go-quote.ts';

/** In bytes. */
export const fieldManagerLengthMax = 128;

/** Matches nearly all names, which need no further checks. */
const plainName = /^[ -~]{0,128}$/;

export const isPlainFieldManager = (manager: string): boolean => plainName.test(manager);

/** Checks a field manager's name: its length, and unprintable characters. */
export function fieldManagerErrors(manager: string, path: FieldPath | string): readonly FieldError[] {
  if (isPlainFieldManager(manager)) return [];
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
