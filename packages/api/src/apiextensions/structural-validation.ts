/**
 * Checks whether a schema is structural: every field is declared with its type, outside of constructs that only
 * restrict values.
 */

import { isError } from '@coxswain/cel';
import { compileRegularExpression } from '@coxswain/cel/formats/regular-expression.ts';
import { fieldErrorText, invalidError, requiredError, type FieldPath } from '@coxswain/apimachinery';
import { Errors } from '../meta/checks.ts';
import { junctors, schemaOf, sortedEntries, type Schema } from './schema-tree.ts';

type Level = 'root' | 'item' | 'field';

export function structuralErrors(schema: Schema, path: FieldPath): Errors {
  const errors = new Errors();
  validateInvariants(schema, 'root', path, errors);
  validateCompleteness(schema, schema, path, path, errors);
  return errors.sort((left, right) => (fieldErrorText(left) < fieldErrorText(right) ? -1 : 1));
}

/** The constructs that a structural schema may not contain, in upstream's order. */
export function unstructuralReason(schema: Schema): string | undefined {
  const own = unsupportedReason(schema);
  if (own !== undefined) return own;
  const restricting = [
    ...(schema.not == null ? [] : [schema.not]),
    ...junctors.flatMap((name) => schema[name] ?? []),
  ];
  for (const inner of restricting) {
    const reason = unstructuralReason(inner);
    if (reason !== undefined) return reason;
  }
  if (schema['x-kubernetes-preserve-unknown-fields'] === false) {
    return "internal error: 'x-kubernetes-preserve-unknown-fields' must be true or undefined";
  }
  if (Array.isArray(schema.items) && schema.items.length > 0)
    return "OpenAPIV3Schema 'items' must be a schema, but is an array";
  const properties = sortedEntries(schema.properties).map(([, property]) => property);
  for (const inner of [schemaOf(schema.items), ...properties, schemaOf(schema.additionalProperties)]) {
    const reason = inner && unstructuralReason(inner);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

function unsupportedReason(schema: Schema): string | undefined {
  const isFilled = (members: object | null | undefined): boolean => Object.keys(members ?? {}).length > 0;
  const unsupported: readonly (readonly [string, boolean])[] = [
    ['id', Boolean(schema.id)],
    ['schema', Boolean(schema.$schema)],
    ['$ref', Boolean(schema.$ref)],
    ['patternProperties', isFilled(schema.patternProperties)],
    ['dependencies', isFilled(schema.dependencies)],
    ['additionalItems', schema.additionalItems != null],
    ['definitions', isFilled(schema.definitions)],
  ];
  const name = unsupported.find(([, isThere]) => isThere)?.[0];
  return name === undefined ? undefined : `OpenAPIV3Schema '${name}' is not supported`;
}

function validateInvariants(schema: Schema, level: Level, path: FieldPath, errors: Errors): void {
  const items = schemaOf(schema.items);
  const isEmbedded = schema['x-kubernetes-embedded-resource'] === true;
  const isIntOrString = schema['x-kubernetes-int-or-string'] === true;
  const preserves = schema['x-kubernetes-preserve-unknown-fields'] === true;
  if (schema.type === 'array' && items === undefined) {
    errors.required(path.child('items'), 'must be specified');
  }
  if (items !== undefined) validateInvariants(items, 'item', path.child('items'), errors);
  for (const [name, property] of sortedEntries(schema.properties)) {
    validateInvariants(property, 'field', path.child('properties').key(name), errors);
  }
  const additional = schema.additionalProperties;
  const additionalPath = path.child('additionalProperties');
  if (additional != null) {
    if (level === 'root') errors.forbidden(additionalPath, 'must not be used at the root');
    const inner = schemaOf(additional);
    if (inner !== undefined) validateInvariants(inner, 'field', additionalPath, errors);
  }
  const must = 'must be false if x-kubernetes-int-or-string is true';
  if (isIntOrString && preserves) {
    errors.invalid(path.child('x-kubernetes-preserve-unknown-fields'), true, must);
  }
  if (isIntOrString && isEmbedded) {
    errors.invalid(path.child('x-kubernetes-embedded-resource'), true, must);
  }
  validateJunctors(schema, path, errors);
  validateType(schema, level, isIntOrString || preserves, path, errors);
  if (isEmbedded && additional != null) {
    const detail = 'must not be used if x-kubernetes-embedded-resource is set';
    errors.forbidden(additionalPath, detail);
  }
  validateMetaProperties(schema, level, path, errors);
  if (isEmbedded && !preserves && Object.keys(schema.properties ?? {}).length === 0) {
    const detail =
      'must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields';
    errors.required(path.child('properties'), detail);
  }
}

const emptyType: Readonly<Record<Level, string>> = {
  root: 'must not be empty at the root',
  item: 'must not be empty for specified array items',
  field: 'must not be empty for specified object fields',
};

function validateType(
  schema: Schema,
  level: Level,
  mayBeEmpty: boolean,
  path: FieldPath,
  errors: Errors,
): void {
  const type = schema.type ?? '';
  const at = path.child('type');
  if (schema['x-kubernetes-embedded-resource'] && type !== 'object') {
    const detail = 'must be object if x-kubernetes-embedded-resource is true';
    errors.push(type === '' ? requiredError(at, detail) : invalidError(at, type, detail));
  } else if (type === '' && !mayBeEmpty) errors.required(at, emptyType[level]);
  if (level === 'root' && type !== '' && type !== 'object') {
    errors.invalid(at, type, 'must be object at the root');
  }
}

function validateMetaProperties(schema: Schema, level: Level, path: FieldPath, errors: Errors): void {
  const isObject = level === 'root' || schema['x-kubernetes-embedded-resource'] === true;
  for (const name of ['kind', 'apiVersion'] as const) {
    const property = schema.properties?.[name];
    if (!isObject || property === undefined || property.type === 'string') continue;
    const at = path.child('properties').key(name).child('type');
    errors.invalid(at, property.type ?? '', 'must be string');
  }
  const metadata = schema.properties?.['metadata'];
  if (metadata === undefined) return;
  const at = path.child('properties').key('metadata');
  if (isObject && metadata.type !== 'object') {
    errors.invalid(at.child('type'), metadata.type ?? '', 'must be object');
  }
  if (level !== 'root') return;
  const { type: _type, default: _default, properties = {}, ...rest } = metadata;
  const others = Object.keys(properties).filter((name) => name !== 'name' && name !== 'generateName');
  const hasRest = Object.values(rest).some((value) => !isZero(value));
  if (others.length > 0 || hasRest) {
    const detail =
      'must not specify anything other than name and generateName, but metadata is implicitly specified';
    errors.forbidden(at, detail);
  }
}

const isZero = (value: unknown): boolean =>
  value == null || value === false || value === '' || (Array.isArray(value) && value.length === 0);

const isIntOrStringPattern = (anyOf: readonly Schema[] | undefined): boolean =>
  anyOf?.length === 2 &&
  JSON.stringify(anyOf[0]) === '{"type":"integer"}' &&
  JSON.stringify(anyOf[1]) === '{"type":"string"}';

function validateJunctors(schema: Schema, path: FieldPath, errors: Errors, skipAnyOf = false): void {
  const skipFirst = isIntOrStringPattern(schema.allOf?.[0]?.anyOf);
  if (!skipAnyOf && !isIntOrStringPattern(schema.anyOf)) {
    for (const [index, inner] of (schema.anyOf ?? []).entries()) {
      validateNested(inner, path.child('anyOf').index(index), errors);
    }
  }
  for (const [index, inner] of (schema.allOf ?? []).entries()) {
    validateNested(inner, path.child('allOf').index(index), errors, skipFirst && index === 0);
  }
  for (const [index, inner] of (schema.oneOf ?? []).entries()) {
    validateNested(inner, path.child('oneOf').index(index), errors);
  }
  if (schema.not != null) validateNested(schema.not, path.child('not'), errors);
  const pattern = schema.pattern ? compileRegularExpression(schema.pattern) : undefined;
  if (isError(pattern)) {
    const detail = `must be a valid regular expression, but isn't: ${pattern.message}`;
    errors.invalid(path.child('pattern'), schema.pattern, detail);
  }
}

const forbiddenInside = [
  ['x-kubernetes-preserve-unknown-fields', 'must be false to be structural'],
  ['x-kubernetes-embedded-resource', 'must be false to be structural'],
  ['x-kubernetes-int-or-string', 'must be false to be structural'],
  ['x-kubernetes-list-map-keys', 'must be empty to be structural'],
  ['x-kubernetes-list-type', 'must be undefined to be structural'],
  ['x-kubernetes-map-type', 'must be undefined to be structural'],
  ['x-kubernetes-validations', 'must be empty to be structural'],
] as const;

/** Inside anyOf and the like, values may only be restricted. */
function validateNested(schema: Schema, path: FieldPath, errors: Errors, skipAnyOf = false): void {
  validateJunctors(schema, path, errors, skipAnyOf);
  const items = schemaOf(schema.items);
  if (items !== undefined) validateNested(items, path.child('items'), errors);
  for (const [name, property] of sortedEntries(schema.properties)) {
    validateNested(property, path.child('properties').key(name), errors);
  }
  if (schema.type) errors.forbidden(path.child('type'), 'must be empty to be structural');
  if (schema.additionalProperties != null && (schema.additionalProperties as unknown) !== false) {
    errors.forbidden(path.child('additionalProperties'), 'must be undefined to be structural');
  }
  if (schema.default !== undefined) {
    errors.forbidden(path.child('default'), 'must be undefined to be structural');
  }
  for (const name of ['title', 'description'] as const) {
    if (schema[name]) errors.forbidden(path.child(name), 'must be empty to be structural');
  }
  if (schema.nullable) errors.forbidden(path.child('nullable'), 'must be false to be structural');
  for (const [name, detail] of forbiddenInside) {
    const value = schema[name];
    const isSet = Array.isArray(value) ? value.length > 0 : value != null && value !== false;
    if (isSet) errors.forbidden(path.child(name), detail);
  }
  if (schema.properties?.['metadata'] !== undefined) {
    const at = path.child('properties').key('metadata');
    errors.forbidden(at, 'must not be specified in a nested context');
  }
}

/** Every restricted field must be declared. */
function validateCompleteness(
  restricting: Schema,
  schema: Schema | undefined,
  path: FieldPath,
  restrictingPath: FieldPath,
  errors: Errors,
): void {
  const inside = (inner: Schema, at: FieldPath): void => {
    validateCompleteness(inner, schema, path, at, errors);
    const items = schemaOf(inner.items);
    if (items !== undefined) {
      const known = schemaOf(schema?.items);
      compare(items, known, path.child('items'), at.child('items'));
    }
    for (const [name, property] of sortedEntries(inner.properties)) {
      const known = schema?.properties?.[name];
      const propertyPath = path.child('properties').key(name);
      compare(property, known, propertyPath, at.child('properties').key(name));
    }
  };
  const compare = (inner: Schema, known: Schema | undefined, knownPath: FieldPath, at: FieldPath): void => {
    if (known === undefined) {
      errors.required(knownPath, `because it is defined in ${at.toString()}`);
    } else validateCompleteness({ allOf: [inner] } as Schema, known, knownPath, at, errors);
  };
  if (restricting.not != null) inside(restricting.not, restrictingPath.child('not'));
  for (const name of junctors) {
    for (const [index, inner] of (restricting[name] ?? []).entries()) {
      inside(inner, restrictingPath.child(name).index(index));
    }
  }
}
