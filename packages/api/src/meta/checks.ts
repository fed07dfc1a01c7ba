/**
 * The building blocks of validation. Each appends its errors; a path is passed as a node and formatted only in an
 * error.
 */

import {
  compareQuantities,
  convertedText,
  duplicateError,
  forbiddenError,
  internalFieldError,
  invalidError,
  notFoundError,
  notSupportedError,
  requiredError,
  tooLongError,
  tooManyError,
  typeInvalidError,
  type FieldLocation,
  FieldPath,
  parseQuantity,
  semanticDeepEqual,
  zeroQuantity,
  type FieldError,
  type NameCheck,
} from '@coxswain/apimachinery';
import { wasSentEmpty } from '@coxswain/schema';

/** field.ErrorList: a validation's errors in the order in which they are found. */
export class Errors extends Array<FieldError> {
  /** What is filtered or mapped is a plain array. */
  static override get [Symbol.species](): ArrayConstructor {
    return Array;
  }

  required(field: FieldLocation, detail?: string): void {
    this.push(requiredError(field, detail));
  }

  invalid(field: FieldLocation, value: unknown, detail: string): void {
    this.push(invalidError(field, value, detail));
  }

  typeInvalid(field: FieldLocation, value: unknown, detail: string): void {
    this.push(typeInvalidError(field, value, detail));
  }

  duplicate(field: FieldLocation, value: unknown): void {
    this.push(duplicateError(field, value));
  }

  notFound(field: FieldLocation, value: unknown): void {
    this.push(notFoundError(field, value));
  }

  forbidden(field: FieldLocation, detail: string): void {
    this.push(forbiddenError(field, detail));
  }

  notSupported(field: FieldLocation, value: unknown, supported: readonly string[]): void {
    this.push(notSupportedError(field, value, supported));
  }

  tooLong(field: FieldLocation, lengthMax: number): void {
    this.push(tooLongError(field, lengthMax));
  }

  tooMany(field: FieldLocation, count: number, countMax: number): void {
    this.push(tooManyError(field, count, countMax));
  }

  internal(field: FieldLocation, message: string): void {
    this.push(internalFieldError(field, message));
  }
}

/** The indexes of values that already occurred in the list. */
export function repeated(values: readonly string[]): number[] {
  const seen = new Set<string>();
  return [...values.keys()].filter((index) => seen.size === seen.add(values[index]!).size);
}

/** Adds an error for each of the check's messages. */
export function check(value: string, path: FieldPath, test: NameCheck, errors: Errors): void {
  const messages = test(value);
  for (let at = 0; at < messages.length; at++) errors.invalid(path, value, messages[at]!);
}

/** The same for a value of a type of text that upstream converts first. */
export const checkConverted = (value: string, path: FieldPath, test: NameCheck, errors: Errors): void => {
  for (const message of test(value)) errors.invalid(path, convertedText(value), message);
};

/** Like {@link check}, for a member of the struct at `parent`; its path is made only for an error. */
export function checkMember(
  value: string,
  parent: FieldPath,
  name: string,
  test: NameCheck,
  errors: Errors,
): void {
  const messages = test(value);
  for (let at = 0; at < messages.length; at++) errors.invalid(parent.child(name), value, messages[at]!);
}

export function requireMember(
  value: string | null | undefined,
  parent: FieldPath,
  name: string,
  errors: Errors,
): void {
  if (!value) errors.required(parent.child(name));
}

/** A present value must be one of `supported`, which errors list in the given order. */
export function oneOfSupported(
  value: string | null | undefined,
  parent: FieldPath,
  name: string,
  supported: readonly string[],
  errors: Errors,
): void {
  if (!supported.includes(value ?? '')) errors.notSupported(parent.child(name), value ?? '', supported);
}

export function notNegative(
  value: number | null | undefined,
  parent: FieldPath,
  name: string,
  errors: Errors,
): void {
  if (value != null && value < 0) errors.invalid(parent.child(name), value, negativeMessage);
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
    errors.invalid(parent.child(name), value, rangeMessageOf(lowest, highest));
}

export function immutable(value: unknown, old: unknown, path: FieldPath | string, errors: Errors): void {
  if (!semanticDeepEqual(value, old)) errors.invalid(path, value ?? null, immutableMessage);
}

export function notNegativeQuantity(text: string, path: FieldPath, errors: Errors): void {
  if (text.startsWith('-') && isNegative(text)) errors.invalid(path, text, negativeMessage);
}

export function positiveQuantity(text: string, path: FieldPath, errors: Errors): void {
  if (compareQuantities(parseQuantity(text), zeroQuantity) <= 0)
    errors.invalid(path, text, notPositiveMessage);
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
