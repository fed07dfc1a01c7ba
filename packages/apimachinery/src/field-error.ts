/**
 * field.Error: a validation error of one field, with upstream's text. `invalid` in errors.ts turns a list of them into
 * one 422.
 */

import type { FieldPath } from './field-path.ts';
import { goFloat, goJson, goQuote } from './go-quote.ts';

/** Also the `reason` of the StatusCause that the error becomes. */
export type FieldErrorType =
  | 'FieldValueNotFound'
  | 'FieldValueRequired'
  | 'FieldValueDuplicate'
  | 'FieldValueInvalid'
  | 'FieldValueTypeInvalid'
  | 'FieldValueNotSupported'
  | 'FieldValueForbidden'
  | 'FieldValueTooLong'
  | 'FieldValueTooShort'
  | 'FieldValueTooMany'
  | 'FieldValueTooFew'
  | 'InternalError';

export interface FieldError {
  readonly type: FieldErrorType;
  /** `spec.containers[0].name`; `<nil>` where upstream has no path. */
  readonly field: string;
  readonly badValue?: unknown;
  readonly detail: string;
  /** The feature gate that must be enabled for it to count. */
  readonly gate?: string;
  /** The feature gate that must be disabled. */
  readonly unless?: string;
  /** The minor version of Kubernetes from which it counts, compared with the oldest version in the cluster. */
  readonly since?: number;
  /** The minor version from which it no longer counts. */
  readonly until?: number;
}

/** A field path, its text, or nothing, which upstream prints as `<nil>`. */
export type FieldLocation = FieldPath | string | undefined;

export const requiredError = (field: FieldLocation, detail = ''): FieldError =>
  fieldError('FieldValueRequired', field, '', detail);

export const invalidError = (field: FieldLocation, value: unknown, detail: string): FieldError =>
  fieldError('FieldValueInvalid', field, value, detail);

export const typeInvalidError = (field: FieldLocation, value: unknown, detail: string): FieldError =>
  fieldError('FieldValueTypeInvalid', field, value, detail);

export const duplicateError = (field: FieldLocation, value: unknown): FieldError =>
  fieldError('FieldValueDuplicate', field, value, '');

export const notFoundError = (field: FieldLocation, value: unknown): FieldError =>
  fieldError('FieldValueNotFound', field, value, '');

export const forbiddenError = (field: FieldLocation, detail: string): FieldError =>
  fieldError('FieldValueForbidden', field, '', detail);

/** The supported values are listed in the given order: some fields sort theirs, others do not. */
export const notSupportedError = (
  field: FieldLocation,
  value: unknown,
  supported: readonly string[],
): FieldError =>
  fieldError(
    'FieldValueNotSupported',
    field,
    value,
    supported.length === 0 ? '' : `supported values: ${supported.map(goQuote).join(', ')}`,
  );

/** `lengthMax` in bytes; negative to omit the limit. */
export const tooLongError = (field: FieldLocation, lengthMax: number): FieldError =>
  fieldError(
    'FieldValueTooLong',
    field,
    undefined,
    atMost('may not be more than', lengthMax, 'byte', 'value is too long'),
  );

/** With a negative `count` the number of items is omitted. */
export const tooManyError = (field: FieldLocation, count: number, countMax: number): FieldError =>
  fieldError(
    'FieldValueTooMany',
    field,
    count < 0 ? omitted : count,
    atMost('must have at most', countMax, 'item', 'has too many items'),
  );

export const internalFieldError = (field: FieldLocation, message: string): FieldError =>
  fieldError('InternalError', field, undefined, message);

/** A bad value whose text is already known, for values that Go prints as structs. */
export class PrintedValue {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Text that upstream passes by its address, and therefore writes as JSON instead of quoting it. */
export const referencedText = (value: string): PrintedValue => new PrintedValue(goJson(value));

/** A value of a type of text that upstream converts to plain text, which it quotes instead of writing it as JSON. */
export const convertedText = (value: string): PrintedValue => new PrintedValue(goQuote(value));

/** The message without the field: `Invalid value: "a": must be …`. The StatusCause's message. */
export function fieldErrorBody({ type, badValue, detail }: FieldError): string {
  const showsValue = typesWithValue.has(type) && badValue !== omitted;
  const head = showsValue ? `${titles[type]}: ${printedBadValue(badValue)}` : titles[type];
  return detail === '' ? head : `${head}: ${detail}`;
}

/** `spec.name: Invalid value: "a": must be …` */
export const fieldErrorText = (error: FieldError): string => `${error.field}: ${fieldErrorBody(error)}`;

/** Several errors as one text without duplicates: `a`, or `[a, b]`. */
export function aggregateText(messages: readonly string[]): string {
  const distinct = [...new Set(messages)];
  return distinct.length === 1 ? distinct[0]! : `[${distinct.join(', ')}]`;
}

/** Several field errors, thrown as one: clients print each on a line of its own. */
export class FieldErrors extends Error {
  readonly errors: readonly FieldError[];

  constructor(errors: readonly FieldError[]) {
    super(aggregateFieldErrors(errors));
    this.errors = errors;
  }
}

export const aggregateFieldErrors = (errors: readonly FieldError[]): string =>
  aggregateText(errors.map(fieldErrorText));

const titles: Readonly<Record<FieldErrorType, string>> = {
  FieldValueNotFound: 'Not found',
  FieldValueRequired: 'Required value',
  FieldValueDuplicate: 'Duplicate value',
  FieldValueInvalid: 'Invalid value',
  FieldValueTypeInvalid: 'Invalid value',
  FieldValueNotSupported: 'Unsupported value',
  FieldValueForbidden: 'Forbidden',
  FieldValueTooLong: 'Too long',
  FieldValueTooShort: 'Too short',
  FieldValueTooMany: 'Too many',
  FieldValueTooFew: 'Too few',
  InternalError: 'Internal error',
};

const typesWithValue: ReadonlySet<FieldErrorType> = new Set([
  'FieldValueInvalid',
  'FieldValueTypeInvalid',
  'FieldValueNotSupported',
  'FieldValueNotFound',
  'FieldValueDuplicate',
  'FieldValueTooMany',
  'FieldValueTooFew',
]);

/** A bad value that must not be shown. */
export const omitted = Symbol('value omitted');

function fieldError(
  type: FieldErrorType,
  field: FieldLocation,
  badValue: unknown,
  detail: string,
): FieldError {
  return { type, field: field === undefined ? '<nil>' : field.toString(), badValue, detail };
}

function printedBadValue(value: unknown): string {
  if (typeof value === 'string') return goQuote(value);
  if (typeof value === 'number') return Number.isInteger(value) ? String(value) : goFloat(value);
  if (value instanceof PrintedValue) return value.text;
  return goJson(value);
}

function atMost(phrase: string, limit: number, unit: string, unknownLimit: string): string {
  return limit < 0 ? unknownLimit : `${phrase} ${limit} ${unit}${limit === 1 ? '' : 's'}`;
}
