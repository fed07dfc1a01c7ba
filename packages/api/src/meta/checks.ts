/**
 * The building blocks of validation. Each appends its errors; a path is passed as a node and formatted only in an
 * error.
 */

import {
  compareQuantities,
  FieldPath,
  invalidError,
  notSupportedError,
  parseQuantity,
  requiredError,
  semanticDeepEqual,
  zeroQuantity,
  type FieldError,
  type NameCheck,
} from '@coxswain/apimachinery';
import { wasSentEmpty } from '@coxswain/schema';

export type Errors = FieldError[];

/** The indexes of values that already occurred in the list. */
export function repeated(values: readonly string[]): number[] {
  const seen = new Set<string>();
  return [...values.keys()].filter((index) => seen.size === seen.add(values[index]!).size);
}

/** Adds an error for each of the check's messages. */
export function check(value: string, path: FieldPath, test: NameCheck, errors: Errors): void {
  const messages = test(value);
  for (let at = 0; at < messages.length; at++) errors.push(invalidError(path, value, messages[at]!));
}

/** Like {@link check}, for a member of the struct at `parent`; its path is made only for an error. */
export function checkMember(
  value: string,
  parent: FieldPath,
  name: string,
  test: NameCheck,
  errors: Errors,
): void {
  const messages = test(value);
  for (let at = 0; at < messages.length; at++)
    errors.push(invalidError(parent.child(name), value, messages[at]!));
}

export function requireMember(
  value: string | null | undefined,
  parent: FieldPath,
  name: string,
  errors: Errors,
): void {
  if (!value) errors.push(requiredError(parent.child(name)));
}

/** A present value must be one of `supported`, which errors list in the given order. */
export function oneOfSupported(
  value: string | null | undefined,
  parent: FieldPath,
  name: string,
  supported: readonly string[],
  errors: Errors,
): void {
  if (!supported.includes(value ?? ''))
    errors.push(notSupportedError(parent.child(name), value ?? '', supported));
}

export function notNegative(
  value: number | null | undefined,
  parent: FieldPath,
  name: string,
  errors: Errors,
): void {
  if (value != null && value < 0) errors.push(invalidError(parent.child(name), value, negativeMessage));
}

export function inRange(
  value: number,
  lowest: number,
  highest: number,
  parent: FieldPath,
  name: string,
  errors: Errors,
): void {
  if (value < lowest || value > highest)
    errors.push(invalidError(parent.child(name), value, rangeMessageOf(lowest, highest)));
}

export function immutable(value: unknown, old: unknown, path: FieldPath | string, errors: Errors): void {
  if (!semanticDeepEqual(value, old)) errors.push(invalidError(path, value ?? null, immutableMessage));
}

export function notNegativeQuantity(text: string, path: FieldPath, errors: Errors): void {
  if (text.startsWith('-') && isNegative(text)) errors.push(invalidError(path, text, negativeMessage));
}

export function positiveQuantity(text: string, path: FieldPath, errors: Errors): void {
  if (compareQuantities(parseQuantity(text), zeroQuantity) <= 0)
    errors.push(invalidError(path, text, notPositiveMessage));
}

const isNegative = (text: string): boolean => compareQuantities(parseQuantity(text), zeroQuantity) < 0;

export const negativeMessage = 'must be greater than or equal to 0';
export const notPositiveMessage = 'must be greater than zero';
export const notIntegerMessage = 'must be an integer';
export const immutableMessage = 'field is immutable';
export const int32Max = 2 ** 31 - 1;

const rangeMessageOf = (lowest: number, highest: number): string =>
  `must be between ${lowest} and ${highest}, inclusive`;

/** A list or map for a message: Go prints an absent one as null, and an empty one as empty. */
export const asSent = <T extends object, Name extends keyof T & string>(
  holder: T,
  name: Name,
  empty: unknown,
): unknown => holder[name] ?? (wasSentEmpty(holder, name) ? empty : null);

/** A map for a message: Go prints its keys in order. */
export function inKeyOrder<Value>(
  members: Readonly<Record<string, Value>> | null | undefined,
): Record<string, Value> | null {
  if (members == null) return null;
  const keys = Object.keys(members).sort();
  return Object.fromEntries(keys.map((key) => [key, members[key]!]));
}

export const pathOf = (name: string, ...names: readonly string[]): FieldPath => FieldPath.of(name, ...names);
