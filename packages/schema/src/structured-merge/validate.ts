/** Validates a configuration against its schema: every field must be known, every value of its type. */

import { goQuote, goFloat } from '../scalars/go-quote.ts';
import { goValue } from '../scalars/go-value.ts';
import { resolved, type ListType, type ScalarName, type ScalarType, type StructType } from '../type.ts';
import { elementText } from './path-element.ts';
import { identifierOf } from './list-element.ts';
import { deduced, isObject, memberTypeOf, type MergeType } from './granularity.ts';

/** A configuration that doesn't fit; the message is upstream's. */
export class ConfigurationError extends Error {}

/** @throws ConfigurationError `.spec.foo: field not declared in schema`, all of them under `errors:` */
export function validateConfiguration(type: StructType, config: unknown): void {
  const problem = problemOf(type, config, false);
  if (problem !== undefined) throw new ConfigurationError(problem);
}

/**
 * The reason that an object can't be tracked: it was stored when the schema was different, or isn't validated yet. It
 * may contain duplicate elements. Undefined when it can be tracked.
 */
export const trackingProblemOf = (type: StructType, object: unknown): string | undefined =>
  problemOf(type, object, true);

function problemOf(type: StructType, value: unknown, allowsDuplicates: boolean): string | undefined {
  const errors: Errors = Object.assign([], { allowsDuplicates });
  validate(type, value, '', errors);
  if (errors.length < 2) return errors[0];
  // In the order of the configuration: upstream visits members in random order, and lists in order.
  return ['errors:', ...errors.map((error) => `  ${error}`)].join('\n');
}

/** In the order of discovery. */
type Errors = string[] & { readonly allowsDuplicates: boolean };

/**
 * The null of a CEL expression, which is valid nowhere: an omitted field, by contrast, is null in the configuration.
 */
export const nullOfExpression = Symbol('null of an expression');

function refuseNull(type: Exclude<MergeType, typeof deduced>, report: (message: string) => void): void {
  const wanted = type.form === 'scalar' ? expectationOf(type) : type.form === 'list' ? 'list' : 'map';
  const message = nullRefusals[wanted];
  if (message !== undefined) report(message);
}

const nullRefusals: Readonly<Record<string, string>> = {
  map: 'expected map, got &{NULL_VALUE}',
  list: 'expected list, got &{NULL_VALUE}',
  numeric: 'expected numeric (int or float), got structpb.NullValue',
  string: 'expected string, got &value.valueUnstructured{Value:0}',
  boolean: 'expected boolean, got &{NULL_VALUE}',
  scalar: 'expected any scalar, got &{NULL_VALUE}',
};

function validate(type: MergeType, value: unknown, path: string, errors: Errors): void {
  if (type === deduced || value === null || value === undefined) return;
  const actual = resolved(type);
  const report = (message: string): void => {
    errors.push(path === '' ? message : `${path}: ${message}`);
  };
  if (value === nullOfExpression) return refuseNull(actual, report);
  switch (actual.form) {
    case 'scalar':
      return validateScalar(actual, value, report);
    case 'list':
      if (!Array.isArray(value)) return report(`expected list, got &{${goValue(withIntegers(value))}}`);
      return validateElements(actual, value, path, errors, report);
    case 'map':
      if (!isObject(value)) return report(`expected map, got &{${goValue(withIntegers(value))}}`);
      for (const key in value) validate(actual.value, value[key], `${path}.${key}`, errors);
      return;
    case 'struct':
      if (!isObject(value)) return report(`expected map, got &{${goValue(withIntegers(value))}}`);
      return validateMembers(actual, value, path, errors);
  }
}

function validateMembers(
  struct: StructType,
  value: Record<string, unknown>,
  path: string,
  errors: Errors,
): void {
  for (const name in value) {
    const type = memberTypeOf(struct, name);
    if (type === undefined) {
      // Upstream stops at the first unknown member of a struct.
      errors.push(`${path}.${name}: field not declared in schema`);
      return;
    }
    validate(type, value[name], `${path}.${name}`, errors);
  }
}

function validateElements(
  list: ListType,
  value: readonly unknown[],
  path: string,
  errors: Errors,
  report: (message: string) => void,
): void {
  const seen = new Set<string>();
  for (const [index, item] of value.entries()) {
    let text = `[${index}]`;
    if (list.merge !== 'atomic') {
      let element: string;
      try {
        element = identifierOf(list)(item);
      } catch (error) {
        return report(`element ${index}: ${(error as Error).message}`);
      }
      text = elementText(element);
      if (seen.has(element) && !errors.allowsDuplicates) report(`duplicate entries for key ${text}`);
      seen.add(element);
    }
    validate(list.element, item, `${path}${text}`, errors);
  }
}

function validateScalar(type: ScalarType, value: unknown, report: (message: string) => void): void {
  const isNumber = typeof value === 'number' || typeof value === 'bigint';
  switch (expectationOf(type)) {
    case 'numeric':
      if (!isNumber) report(`expected numeric (int or float), got ${goTypeOfValue(value)}`);
      return;
    case 'string':
      if (typeof value !== 'string')
        report(`expected string, got &value.valueUnstructured{Value:${goSyntax(withIntegers(value))}}`);
      return;
    case 'boolean':
      if (typeof value !== 'boolean') report(`expected boolean, got &{${goValue(withIntegers(value))}}`);
      return;
    case 'scalar':
      if (typeof value === 'object') report(`expected any scalar, got &{${goValue(withIntegers(value))}}`);
      return;
    case 'anything':
      return;
  }
}

type Expectation = 'numeric' | 'string' | 'boolean' | 'scalar' | 'anything';

const expectationOf = ({ applied, scalar }: ScalarType): Expectation => applied ?? expectations[scalar];

const expectations: Readonly<Record<ScalarName, Expectation>> = {
  string: 'string',
  bytes: 'string',
  duration: 'string',
  bool: 'boolean',
  int32: 'numeric',
  int64: 'numeric',
  float64: 'numeric',
  quantity: 'scalar',
  // Upstream's schema of it names two types, which makes it untyped.
  intOrString: 'anything',
  time: 'scalar',
  microTime: 'scalar',
  rawExtension: 'anything',
  fieldsV1: 'anything',
  any: 'anything',
};

function goTypeOfValue(value: unknown): string {
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'bool';
  return Array.isArray(value) ? '[]interface {}' : 'map[string]interface {}';
}

/** Configurations distinguish integers from other numbers by their digits. */
function withIntegers(value: unknown): unknown {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : value;
  if (Array.isArray(value)) return value.map(withIntegers);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withIntegers(member)]));
}

/** `%#v` */
function goSyntax(value: unknown): string {
  if (value === null) return 'interface {}(nil)';
  if (typeof value === 'string') return goQuote(value);
  if (typeof value === 'number') return goFloat(value);
  if (Array.isArray(value)) return `[]interface {}{${value.map(goSyntax).join(', ')}}`;
  if (!isObject(value)) return String(value);
  const members = Object.keys(value)
    .sort()
    .map((name) => `${goQuote(name)}:${goSyntax(value[name])}`);
  return `map[string]interface {}{${members.join(', ')}}`;
}
