/** The common validation of lists and maps in device requests, devices and the like. */

import type { FieldPath } from '@coxswain/apimachinery';
import type { Errors } from '../meta/checks.ts';

/** Returns false when there are too many, in which case none is validated. */
export function validateEach<Item>(
  items: readonly Item[] | null | undefined,
  countMax: number,
  path: FieldPath,
  errors: Errors,
  validate: (item: Item, path: FieldPath) => void,
): boolean {
  const count = items?.length ?? 0;
  if (count > countMax) {
    errors.tooMany(path, count, countMax);
    return false;
  }
  for (const [index, item] of (items ?? []).entries()) validate(item, path.index(index));
  return true;
}

/** Validates each item and that keys are unique; `printedKey` is the key's text in errors. */
export function validateSet<Item>(
  items: readonly Item[] | null | undefined,
  countMax: number,
  keyOf: (item: Item) => string,
  path: FieldPath,
  errors: Errors,
  validate: (item: Item, path: FieldPath) => void,
  printedKey: (item: Item) => unknown = keyOf,
): void {
  if (!validateEach(items, countMax, path, errors, validate)) return;
  const seen = new Set<string>();
  for (const [index, item] of (items ?? []).entries()) {
    const key = keyOf(item);
    if (seen.has(key)) errors.duplicate(path.index(index), printedKey(item));
    seen.add(key);
  }
}

/** Errors of keys have the path of the map itself; overlong keys are shortened in paths. Sorted here. */
export function validateMap<Value>(
  members: Readonly<Record<string, Value>> | null | undefined,
  limits: { readonly countMax?: number; readonly keyLengthMax: number },
  path: FieldPath,
  errors: Errors,
  validateKey: (key: string, path: FieldPath) => void,
  validate: (value: Value, path: FieldPath) => void,
): void {
  const keys = Object.keys(members ?? {}).sort();
  if (limits.countMax !== undefined && keys.length > limits.countMax) {
    errors.tooMany(path, keys.length, limits.countMax);
    return;
  }
  for (const key of keys) {
    validateKey(key, path);
    validate(members![key]!, path.key(shortened(key, limits.keyLengthMax)));
  }
}

function shortened(text: string, lengthMax: number): string {
  if (text.length <= lengthMax) return text;
  const remaining = lengthMax - '...'.length;
  return `${text.slice(0, Math.floor((remaining + 1) / 2))}...${text.slice(text.length - Math.floor(remaining / 2))}`;
}
