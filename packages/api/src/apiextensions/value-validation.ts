/** Validates a custom resource against its schema, with the messages of upstream's validator. */
import { Errors } from '../meta/checks.ts';
import { bigintsAsNumbers } from '@coxswain/schema/scalars/raw-number.ts';
import { appendAll } from '@coxswain/apimachinery/append-all.ts';
import { currentAllowance } from '@coxswain/apimachinery/work-allowance.ts';
import { matchesRegularExpression } from '@coxswain/cel/formats/regular-expression.ts';
import {
  tooManyError,
  deepEqual,
  fieldErrorText,
  invalidError,
  notSupportedError,
  typeInvalidError,
  type FieldError,
} from '@coxswain/apimachinery';
import type { StructuralSchema } from '@coxswain/schema/custom/compile.ts';
import { isKnownFormat } from './format-warnings.ts';
import { withSortedMembers } from './sorted-values.ts';
import { formatSince, isOfFormat } from './string-formats.ts';

/**
 * The errors of a value; `path` is empty for the whole object. Unchanged parts of an update, compared with `old`, are
 * not reported.
 */
export function schemaErrors(
  schema: StructuralSchema,
  value: unknown,
  path = '',
  old?: unknown,
): FieldError[] {
  // A short value may have to be compared with thousands of alternatives.
  currentAllowance()?.countStep();
  if (old !== undefined && deepEqual(value, old)) return [];
  if (value === null || value === undefined)
    return [...typeErrors(schema, null, path), ...enumErrors(schema, null, path)];
  return distinct([
    ...typeErrors(schema, value, path),
    ...combinationErrors(schema, value, path),
    ...(typeof value === 'string' ? textErrors(schema, value, path) : []),
    ...(isNumber(value) ? numberErrors(schema, value, path) : []),
    ...(Array.isArray(value) ? listErrors(schema, value, path) : []),
    ...enumErrors(schema, value, path),
    ...(isObject(value) ? objectErrors(schema, value, path, isObject(old) ? old : {}) : []),
  ]);
}

/** Equal errors of several combined schemas are reported once. */
const distinct = (errors: FieldError[]): FieldError[] =>
  errors.length < 2 ? errors : [...new Map(errors.map((error) => [fieldErrorText(error), error])).values()];

function typeErrors(schema: StructuralSchema, value: unknown, path: string): FieldError[] {
  const types = typesOf(schema);
  const format = formatOf(schema);
  if (types.length === 0 && !format) return [];
  const actual = typeOf(value);
  if (actual === 'null') {
    return types.length > 0 && !schema.nullable ? [typeError(path, types.join(','), actual)] : [];
  }
  const isNumeric = types.includes('number') || types.includes('integer');
  const fits = types.includes(actual) || (actual === 'integer' && types.includes('number'));
  if (format && actual !== 'string' && actual !== 'array') {
    const actualFormat = formatOfNumber[actual] ?? '';
    if (!fits && actualFormat !== format) return [typeError(path, format, actualFormat)];
  } else if (format && !isNumeric) return [];
  return fits ? [] : [typeError(path, types.join(','), actual)];
}

const formatOf = (schema: StructuralSchema): string | undefined =>
  schema.format && isKnownFormat(schema) ? schema.format : undefined;

/** The formats of decoded numbers upstream. */
const formatOfNumber: Readonly<Record<string, string>> = { integer: 'int64', number: 'float64' };

const typeError = (path: string, wanted: string, value: string): FieldError =>
  typeInvalidError(
    locationOf(path),
    value,
    `${path} in body must be of type ${wanted}: ${JSON.stringify(value)}`,
  );

const typesOf = (schema: StructuralSchema): readonly string[] =>
  schema['x-kubernetes-int-or-string'] ? ['integer', 'string'] : schema.type ? [schema.type] : [];

/** A number without a fraction that fits 64 bits is an integer, however it was written. */
function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'bigint') return 'integer';
  if (typeof value === 'number')
    return Number.isInteger(value) && Math.abs(value) < 2 ** 63 ? 'integer' : 'number';
  return typeof value;
}

function combinationErrors(schema: StructuralSchema, value: unknown, path: string): FieldError[] {
  const errors = new Errors();
  const { anyOf = [], oneOf = [], allOf = [], not } = schema as Combinations;
  const fails = (text: string) => errors.invalid(undefined, '', `${JSON.stringify(path)} ${text}`);
  const results = (schemas: readonly StructuralSchema[]) =>
    schemas.map((one) => schemaErrors(one, value, path));
  const anyResults = results(anyOf);
  if (anyResults.length > 0 && !anyResults.some(isEmpty)) {
    fails('must validate at least one schema (anyOf)');
    appendAll(errors, anyResults[0]!);
  }
  const oneResults = results(oneOf);
  const valid = oneResults.filter(isEmpty).length;
  if (oneResults.length > 0 && valid !== 1) {
    const found = valid === 0 ? 'Found none valid' : `Found ${valid} valid alternatives`;
    fails(`must validate one and only one schema (oneOf). ${found}`);
    if (valid === 0) appendAll(errors, oneResults[0]!);
  }
  const allResults = results(allOf);
  appendAll(errors, allResults.flat());
  const allValid = allResults.filter(isEmpty).length;
  if (allValid !== allResults.length) {
    fails(`must validate all the schemas (allOf)${allValid === 0 ? '. None validated' : ''}`);
  }
  if (not && isEmpty(schemaErrors(not, value, path))) fails('must not validate the schema (not)');
  return errors;
}

interface Combinations {
  readonly anyOf?: readonly StructuralSchema[];
  readonly oneOf?: readonly StructuralSchema[];
  readonly allOf?: readonly StructuralSchema[];
  readonly not?: StructuralSchema;
}

const isEmpty = (errors: readonly FieldError[]): boolean => errors.length === 0;

function textErrors(schema: StructuralSchema, value: string, path: string): FieldError[] {
  const { maxLength, minLength, pattern } = schema as Bounds;
  const errors = new Errors();
  const length = [...value].length;
  const at = locationOf(path);
  if (maxLength !== undefined && length > maxLength) errors.tooLong(at, maxLength);
  else if (minLength !== undefined && length < minLength) {
    errors.invalid(at, value, `${path} in body should be at least ${minLength} chars long`);
  } else if (pattern && matchesRegularExpression(value, pattern) === false) {
    errors.invalid(at, value, `${path} in body should match '${pattern}'`);
  }
  const format = formatOf(schema);
  if (format && !isOfFormat(format, value)) {
    const type = JSON.stringify(value);
    const error = typeInvalidError(at, value, `${path} in body must be of type ${format}: ${type}`);
    errors.push(formatSince(format) > 0 ? { ...error, since: formatSince(format) } : error);
  }
  return errors;
}

interface Bounds {
  readonly maxLength?: number;
  readonly minLength?: number;
  readonly pattern?: string;
  readonly maximum?: number;
  readonly exclusiveMaximum?: boolean;
  readonly minimum?: number;
  readonly exclusiveMinimum?: boolean;
  readonly multipleOf?: number;
  readonly maxItems?: number;
  readonly minItems?: number;
  readonly uniqueItems?: boolean;
  readonly maxProperties?: number;
  readonly minProperties?: number;
}

function numberErrors(schema: StructuralSchema, value: number | bigint, path: string): FieldError[] {
  const { maximum, exclusiveMaximum, minimum, exclusiveMinimum, multipleOf } = schema as Bounds;
  const outside = (text: string): FieldError =>
    invalidError(locationOf(path), value, `${path} in body should be ${text}`);
  const errors = rangeErrors(schema, 'Checked', value, path);
  if (multipleOf !== undefined) {
    const unfit = rangeErrors(schema, 'MultipleOf', multipleOf, path);
    const factor = unfit.length === 0 ? comparable(value, multipleOf) : multipleOf;
    appendAll(errors, unfit);
    if (factor <= 0) {
      const text = `factor MultipleOf declared for ${path} must be positive: ${factor}`;
      errors.push(invalidError(locationOf(path), factor, text));
    } else if (!isMultiple(Number(value), factor)) errors.push(outside(`a multiple of ${factor}`));
  }
  if (minimum !== undefined) {
    const unfit = rangeErrors(schema, 'Minimum boundary', minimum, path);
    const bound = unfit.length === 0 ? comparable(value, minimum) : minimum;
    appendAll(errors, unfit);
    if (exclusiveMinimum ? value <= bound : value < bound) {
      errors.push(outside(`greater than ${exclusiveMinimum ? '' : 'or equal to '}${bound}`));
    }
  }
  if (maximum !== undefined) {
    const unfit = rangeErrors(schema, 'Maximum boundary', maximum, path);
    const bound = unfit.length === 0 ? comparable(value, maximum) : maximum;
    appendAll(errors, unfit);
    if (exclusiveMaximum ? value >= bound : value > bound) {
      errors.push(outside(`less than ${exclusiveMaximum ? '' : 'or equal to '}${bound}`));
    }
  }
  return errors;
}

/** Upstream compares integers with integers: a bound such as 0.5 is truncated. */
const comparable = (value: number | bigint, bound: number): number =>
  typeOf(value) === 'integer' ? Math.trunc(bound) : bound;

/** The tolerance of a quotient above the integer below it, relative to their sum. */
const relativeErrorMax = 1e-9;

function isMultiple(value: number, factor: number): boolean {
  const quotient = factor < 1 ? (1 / factor) * value : value / factor;
  const below = Math.trunc(quotient);
  return quotient === below || (quotient > 0 && (quotient - below) / (quotient + below) < relativeErrorMax);
}

/** A number, whether a value or a bound, must fit the type of the schema. */
function rangeErrors(
  schema: StructuralSchema,
  what: string,
  number: number | bigint,
  path: string,
): FieldError[] {
  const { type } = schema;
  const format = formatOf(schema);
  const fits = type === 'integer' ? fitsInteger(format, number) : fitsFloat(format, Number(number));
  if (fits) return [];
  const wanted = format ? `${type} with format ${format}` : `${type} (default format)`;
  return [invalidError(undefined, '', `${what} value must be of type ${wanted} in ${path}`)];
}

/** As strconv parses it: a number that would be rounded beyond the maximum is out of range. */
const fitsFloat = (format: string | undefined, number: number): boolean =>
  (format !== 'float' && format !== 'float32') || Number.isFinite(Math.fround(number));

function fitsInteger(format: string | undefined, value: number | bigint): boolean {
  if (typeof value === 'number' && !Number.isInteger(value)) return false;
  if (format === 'uint32') return value >= 0 && value < 2 ** 32;
  if (format === 'uint64') return value >= 0 && value < 2 ** 64;
  const bound = format === 'int32' ? 2 ** 31 : 2 ** 63;
  return value < bound && value >= -bound;
}

function listErrors(schema: StructuralSchema, value: readonly unknown[], path: string): FieldError[] {
  const { maxItems, minItems, uniqueItems } = schema as Bounds;
  const items = itemsOf(schema);
  const errors =
    items === undefined ? [] : value.flatMap((item, index) => schemaErrors(items, item, `${path}[${index}]`));
  const at = locationOf(path);
  if (minItems !== undefined && value.length < minItems) {
    errors.push(invalidError(at, value.length, `${path} in body should have at least ${minItems} items`));
  }
  if (maxItems !== undefined && value.length > maxItems)
    errors.push(tooManyError(at, value.length, maxItems));
  if (
    uniqueItems &&
    value.some((item, index) => value.findIndex((other) => deepEqual(other, item)) < index)
  ) {
    errors.push(invalidError(at, '', `${path} in body shouldn't contain duplicates`));
  }
  return errors;
}

function enumErrors(schema: StructuralSchema, value: unknown, path: string): FieldError[] {
  const values = schema.enum ?? [];
  if (values.length === 0) return [];
  // null never matches an enum, even one that contains it.
  if (value === null ? schema.nullable : isOneOf(values, value)) return [];
  const supported = values.map((one) =>
    typeof one === 'string' ? one : JSON.stringify(one, bigintsAsNumbers),
  );
  return [notSupportedError(locationOf(path), withSortedMembers(value), supported)];
}

/** The strings of an enum, which may be thousands. */
const textsOf = new WeakMap<readonly unknown[], ReadonlySet<unknown>>();

function isOneOf(values: readonly unknown[], value: unknown): boolean {
  if (typeof value !== 'string') return values.some((one) => deepEqual(one, value));
  let texts = textsOf.get(values);
  if (texts === undefined) textsOf.set(values, (texts = new Set(values)));
  return texts.has(value);
}

function objectErrors(
  schema: StructuralSchema,
  value: Readonly<Record<string, unknown>>,
  path: string,
  old: Readonly<Record<string, unknown>>,
): FieldError[] {
  const { maxProperties, minProperties } = schema as Bounds;
  const { additionalProperties, properties, required } = schema;
  const errors = new Errors();
  const names = Object.keys(value).sort();
  const at = locationOf(path);
  if (minProperties !== undefined && names.length < minProperties) {
    errors.invalid(at, names.length, `${path} in body should have at least ${minProperties} properties`);
  }
  if (maxProperties !== undefined && names.length > maxProperties) {
    errors.tooMany(at, names.length, maxProperties);
  }
  const isKnown = (name: string) => Object.hasOwn(properties ?? {}, name);
  if (typeof additionalProperties === 'object') {
    const others = names.filter((name) => !isKnown(name));
    errors.push(
      ...others.flatMap((name) =>
        // Unlike those of declared ones, the path has a dot even if the object has no path.
        schemaErrors(additionalProperties, value[name], `${path}.${name}`, old[name]),
      ),
    );
  }
  for (const name of names.filter(isKnown)) {
    appendAll(errors, schemaErrors(properties![name]!, value[name], below(path, name), old[name]));
  }
  for (const name of required ?? []) {
    if (!Object.hasOwn(value, name)) errors.required(locationOf(below(path, name))!);
  }
  return errors;
}

const below = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);

/** Upstream has no path for the whole object. */
const locationOf = (path: string): string | undefined =>
  path === '' ? undefined : path.startsWith('.') ? path.slice(1) : path;

const itemsOf = ({ items }: StructuralSchema): StructuralSchema | undefined =>
  Array.isArray(items) ? undefined : (items as StructuralSchema | undefined);

const isNumber = (value: unknown): value is number | bigint =>
  typeof value === 'number' || typeof value === 'bigint';

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
