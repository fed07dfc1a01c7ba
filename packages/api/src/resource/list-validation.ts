/** What the lists of device requests, devices and their like have in common. */

import {
  checkCIdentifier,
  duplicateError,
  invalidError,
  tooLongError,
  tooManyError,
} from '@coxswain/apimachinery';
import type { FieldPath } from '@coxswain/apimachinery';
import { check } from '../meta/checks.ts';
import type { Errors } from '../meta/checks.ts';
import { validateDriverName } from '../storage/driver-validation.ts';

export function validateEach<Item>(
  items: readonly Item[] | null | undefined,
  countMax: number,
  path: FieldPath,
  errors: Errors,
  validate: (item: Item, path: FieldPath) => void,
): boolean {
  const count = items?.length ?? 0;
  if (count > countMax) {
    errors.push(tooManyError(path, count, countMax));
    return false;
  }
  for (const [index, item] of (items ?? []).entries()) validate(item, path.index(index));
  return true;
}

/** Each, and each key only once. */
export function validateSet<Item>(
  items: readonly Item[] | null | undefined,
  countMax: number,
  keyOf: (item: Item) => string,
  path: FieldPath,
  errors: Errors,
  validate: (item: Item, path: FieldPath) => void,
): void {
  if (!validateEach(items, countMax, path, errors, validate)) return;
  const seen = new Set<string>();
  for (const [index, item] of (items ?? []).entries()) {
    const key = keyOf(item);
    if (seen.has(key)) errors.push(duplicateError(path.index(index), key));
    seen.add(key);
  }
}

const identifierLengthMax = 32;

/** `name` or `driver.example.com/name`. */
export function validateAttributeName(name: string, path: FieldPath, errors: Errors): void {
  const parts = name.split('/');
  const identifier = (text: string): void => {
    if (text.length > identifierLengthMax) errors.push(tooLongError(path, identifierLengthMax));
    check(text, path, checkCIdentifier, errors);
  };
  if (parts.length === 1) identifier(name);
  if (parts.length !== 2) return;
  const [domain, rest] = parts as [string, string];
  if (domain === '') errors.push(invalidError(path, '', 'the domain must not be empty'));
  else validateDriverName(domain, path, errors);
  if (rest === '') errors.push(invalidError(path, '', 'the name must not be empty'));
  else identifier(rest);
}
