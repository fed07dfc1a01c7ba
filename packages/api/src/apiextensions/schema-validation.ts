/**
 * Schemas of custom resources: whether they are structural, and the rules for Kubernetes' extensions.
 * Whether defaults fit, and rules in CEL, are not looked at.
 */

import {
  fieldErrorText,
  forbiddenError,
  invalidError,
  notSupportedError,
  requiredError,
} from '@coxswain/apimachinery';
import type { FieldPath } from '@coxswain/apimachinery';
import type { Errors } from '../meta/checks.ts';
import type { JSONSchemaProps } from './v1/json-schema-props.ts';

type Schema = JSONSchemaProps;
type Level = 'root' | 'item' | 'field';

const types = ['array', 'boolean', 'integer', 'number', 'object', 'string'];

export function validateSchema(schema: Schema, hasStatus: boolean, path: FieldPath, errors: Errors): void {
  if (hasStatus && schema.type !== undefined && schema.type !== 'object') {
    const detail =
      'only "object" is allowed as the type at the root of the schema if the status subresource is enabled';
    errors.push(invalidError(`${path.toString()}.type`, schema.type, detail));
  }
  if (schema.nullable) {
    errors.push(forbiddenError(`${path.toString()}.nullable`, 'nullable cannot be true at the root'));
  }
  const structural: Errors = [];
  if (isPresentable(schema)) {
    validateInvariants(schema, 'root', path, structural);
    validateCompleteness(schema, schema, path, path, structural);
    structural.sort((left, right) => (fieldErrorText(left) < fieldErrorText(right) ? -1 : 1));
  }
  errors.push(...structural);
  validateProps(schema, { isRoot: true, inMeta: false, noDefaults: undefined }, path, errors);
}

/** Schemas with what has no place in structural ones are told of by the other rules alone. */
function isPresentable(schema: Schema): boolean {
  const { items, additionalProperties: additional } = schema;
  if (schema.$ref != null || Array.isArray(items) || schema.id || schema.additionalItems != null)
    return false;
  if (schema.patternProperties ?? schema.definitions ?? schema.dependencies) return false;
  if (schema.uniqueItems) return true;
  const children = [
    ...Object.values(schema.properties ?? {}),
    ...(schema.allOf ?? []),
    ...(schema.anyOf ?? []),
    ...(schema.oneOf ?? []),
    ...(schema.not == null ? [] : [schema.not]),
    ...(items == null ? [] : [items as Schema]),
    ...(typeof additional === 'object' && additional !== null ? [additional as Schema] : []),
  ];
  return children.every(isPresentable);
}

const schemaOf = (value: unknown): Schema | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Schema) : undefined;

function validateInvariants(schema: Schema, level: Level, path: FieldPath, errors: Errors): void {
  const items = schemaOf(schema.items);
  const isEmbedded = schema['x-kubernetes-embedded-resource'] === true;
  const isIntOrString = schema['x-kubernetes-int-or-string'] === true;
  const preserves = schema['x-kubernetes-preserve-unknown-fields'] === true;
  if (schema.type === 'array' && items === undefined) {
    errors.push(requiredError(path.child('items'), 'must be specified'));
  }
  if (items !== undefined) validateInvariants(items, 'item', path.child('items'), errors);
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    validateInvariants(property, 'field', path.child('properties').key(name), errors);
  }
  const additional = schema.additionalProperties;
  const additionalPath = path.child('additionalProperties');
  if (additional != null) {
    if (level === 'root') errors.push(forbiddenError(additionalPath, 'must not be used at the root'));
    const inner = schemaOf(additional);
    if (inner !== undefined) validateInvariants(inner, 'field', additionalPath, errors);
  }
  const must = 'must be false if x-kubernetes-int-or-string is true';
  if (isIntOrString && preserves) {
    errors.push(invalidError(path.child('x-kubernetes-preserve-unknown-fields'), true, must));
  }
  if (isIntOrString && isEmbedded) {
    errors.push(invalidError(path.child('x-kubernetes-embedded-resource'), true, must));
  }
  validateJunctors(schema, path, errors);
  validateType(schema, level, isIntOrString || preserves, path, errors);
  if (isEmbedded && additional != null) {
    const detail = 'must not be used if x-kubernetes-embedded-resource is set';
    errors.push(forbiddenError(additionalPath, detail));
  }
  validateMetaProperties(schema, level, path, errors);
  if (isEmbedded && !preserves && Object.keys(schema.properties ?? {}).length === 0) {
    const detail =
      'must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields';
    errors.push(requiredError(path.child('properties'), detail));
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
  } else if (type === '' && !mayBeEmpty) errors.push(requiredError(at, emptyType[level]));
  if (level === 'root' && type !== '' && type !== 'object') {
    errors.push(invalidError(at, type, 'must be object at the root'));
  }
}

function validateMetaProperties(schema: Schema, level: Level, path: FieldPath, errors: Errors): void {
  const isObject = level === 'root' || schema['x-kubernetes-embedded-resource'] === true;
  for (const name of ['kind', 'apiVersion'] as const) {
    const property = schema.properties?.[name];
    if (!isObject || property === undefined || property.type === 'string') continue;
    const at = path.child('properties').key(name).child('type');
    errors.push(invalidError(at, property.type ?? '', 'must be string'));
  }
  const metadata = schema.properties?.['metadata'];
  if (metadata === undefined) return;
  const at = path.child('properties').key('metadata');
  if (isObject && metadata.type !== 'object') {
    errors.push(invalidError(at.child('type'), metadata.type ?? '', 'must be object'));
  }
  if (level !== 'root') return;
  const { type: _type, default: _default, properties = {}, ...rest } = metadata;
  const others = Object.keys(properties).filter((name) => name !== 'name' && name !== 'generateName');
  const hasRest = Object.values(rest).some((value) => value !== undefined && value !== false && value !== '');
  if (others.length > 0 || hasRest) {
    const detail =
      'must not specify anything other than name and generateName, but metadata is implicitly specified';
    errors.push(forbiddenError(at, detail));
  }
}

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
  const problem = schema.pattern ? patternProblem(schema.pattern) : undefined;
  if (problem !== undefined) {
    const detail = `must be a valid regular expression, but isn't: error parsing regexp: ${problem}`;
    errors.push(invalidError(path.child('pattern'), schema.pattern, detail));
  }
}

function patternProblem(pattern: string): string | undefined {
  const lookaround = /\(\?<?[=!]/.exec(pattern);
  if (lookaround !== null) return `invalid or unsupported Perl syntax: \`${lookaround[0]}\``;
  try {
    new RegExp(pattern);
    return undefined;
  } catch (error) {
    const reason = (error as Error).message;
    if (reason.includes('Unterminated group')) return `missing closing ): \`${pattern}\``;
    if (reason.includes('Unmatched')) return `unexpected ): \`${pattern}\``;
    if (reason.includes('Unterminated character class')) return `missing closing ]: \`${pattern}\``;
    if (reason.includes('Nothing to repeat')) return 'missing argument to repetition operator: `*`';
    return `invalid escape sequence: \`${pattern}\``;
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

/** Inside anyOf and its like, only values are restricted. */
function validateNested(schema: Schema, path: FieldPath, errors: Errors, skipAnyOf = false): void {
  validateJunctors(schema, path, errors, skipAnyOf);
  const items = schemaOf(schema.items);
  if (items !== undefined) validateNested(items, path.child('items'), errors);
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    validateNested(property, path.child('properties').key(name), errors);
  }
  if (schema.type) errors.push(forbiddenError(path.child('type'), 'must be empty to be structural'));
  if (schema.additionalProperties != null) {
    errors.push(forbiddenError(path.child('additionalProperties'), 'must be undefined to be structural'));
  }
  if (schema.description) {
    errors.push(forbiddenError(path.child('description'), 'must be empty to be structural'));
  }
  if (schema.nullable) errors.push(forbiddenError(path.child('nullable'), 'must be false to be structural'));
  for (const [name, detail] of forbiddenInside) {
    const value = schema[name];
    const isSet = Array.isArray(value) ? value.length > 0 : Boolean(value);
    if (isSet) errors.push(forbiddenError(path.child(name), detail));
  }
  if (schema.properties?.['metadata'] !== undefined) {
    const at = path.child('properties').key('metadata');
    errors.push(forbiddenError(at, 'must not be specified in a nested context'));
  }
}

/** What is restricted must be specified. */
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
    for (const [name, property] of Object.entries(inner.properties ?? {})) {
      const known = schema?.properties?.[name];
      const propertyPath = path.child('properties').key(name);
      compare(property, known, propertyPath, at.child('properties').key(name));
    }
  };
  const compare = (inner: Schema, known: Schema | undefined, knownPath: FieldPath, at: FieldPath): void => {
    if (known === undefined) {
      errors.push(requiredError(knownPath, `because it is defined in ${at.toString()}`));
    } else validateCompleteness({ allOf: [inner] } as Schema, known, knownPath, at, errors);
  };
  if (restricting.not != null) inside(restricting.not, restrictingPath.child('not'));
  for (const name of ['allOf', 'anyOf', 'oneOf'] as const) {
    for (const [index, inner] of (restricting[name] ?? []).entries()) {
      inside(inner, restrictingPath.child(name).index(index));
    }
  }
}

interface Situation {
  readonly isRoot: boolean;
  /** Inside kind, apiVersion or metadata of an object. */
  readonly inMeta: boolean;
  /** Why there may be no defaults. */
  readonly noDefaults: string | undefined;
}

const notSupported = [
  ['id', 'id is not supported'],
  ['additionalItems', 'additionalItems is not supported'],
  ['patternProperties', 'patternProperties is not supported'],
  ['definitions', 'definitions is not supported'],
  ['dependencies', 'dependencies is not supported'],
  ['$ref', '$ref is not supported'],
] as const;

function validateProps(schema: Schema, situation: Situation, path: FieldPath, errors: Errors): void {
  const { inMeta, noDefaults, isRoot } = situation;
  const type = schema.type ?? '';
  if (type !== '' && !types.includes(type)) errors.push(notSupportedError(path.child('type'), type, types));
  if (schema.default !== undefined && noDefaults !== undefined) {
    errors.push(forbiddenError(path.child('default'), `must not be set ${noDefaults}`));
  }
  for (const [name, detail] of notSupported) {
    if (schema[name] != null && schema[name] !== '') errors.push(forbiddenError(path.child(name), detail));
  }
  if (type === 'null') {
    const detail = 'type cannot be set to null, use nullable as an alternative';
    errors.push(forbiddenError(path.child('type'), detail));
  }
  if (Array.isArray(schema.items)) {
    errors.push(forbiddenError(path.child('items'), 'items must be a schema object and not an array'));
  }
  const isEmbedded = schema['x-kubernetes-embedded-resource'] === true;
  if (inMeta && isEmbedded) {
    const detail = 'must not be used inside of resource meta';
    errors.push(forbiddenError(path.child('x-kubernetes-embedded-resource'), detail));
  }
  if (schema.uniqueItems) {
    const detail = 'uniqueItems cannot be set to true since the runtime complexity becomes quadratic';
    errors.push(forbiddenError(path.child('uniqueItems'), detail));
  }
  const inner = { isRoot: false, inMeta, noDefaults };
  const additional = schema.additionalProperties;
  if (additional != null && additional !== true && Object.keys(schema.properties ?? {}).length > 0) {
    const detail = 'additionalProperties and properties are mutual exclusive';
    errors.push(forbiddenError(path.child('additionalProperties'), detail));
  }
  const additionalSchema = schemaOf(additional);
  if (additionalSchema !== undefined) {
    const reason = inMeta ? 'inside additionalProperties applying to object metadata' : noDefaults;
    validateProps(
      additionalSchema,
      { ...inner, noDefaults: reason },
      path.child('additionalProperties'),
      errors,
    );
  }
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const isMeta = (isRoot || isEmbedded) && ['metadata', 'kind', 'apiVersion'].includes(name);
    const reason = isMeta && isRoot ? `in top-level ${name}` : noDefaults;
    const at = path.child('properties').key(name);
    validateProps(property, { isRoot: false, inMeta: inMeta || isMeta, noDefaults: reason }, at, errors);
  }
  if (schema.not != null) validateProps(schema.not, inner, path.child('not'), errors);
  for (const name of ['allOf', 'oneOf', 'anyOf'] as const) {
    for (const [index, each] of (schema[name] ?? []).entries()) {
      validateProps(each, inner, path.child(name).index(index), errors);
    }
  }
  const items = schemaOf(schema.items);
  if (items !== undefined) validateProps(items, inner, path.child('items'), errors);
  validateExtensions(schema, items, path, errors);
}

function validateExtensions(
  schema: Schema,
  items: Schema | undefined,
  path: FieldPath,
  errors: Errors,
): void {
  const type = schema.type ?? '';
  const listType = schema['x-kubernetes-list-type'];
  const mapType = schema['x-kubernetes-map-type'];
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  if (schema['x-kubernetes-preserve-unknown-fields'] === false) {
    const at = path.child('x-kubernetes-preserve-unknown-fields');
    errors.push(invalidError(at, false, 'must be true or undefined'));
  }
  const mustBe = (expected: string, extension: string): void => {
    const detail = `must be ${expected} if ${extension} is specified`;
    const at = path.child('type');
    errors.push(type === '' ? requiredError(at, detail) : invalidError(at, type, detail));
  };
  if (mapType != null) {
    if (type !== 'object') mustBe('object', 'x-kubernetes-map-type');
    if (mapType !== 'atomic' && mapType !== 'granular') {
      const at = path.child('x-kubernetes-map-type');
      errors.push(notSupportedError(at, mapType, ['atomic', 'granular']));
    }
  }
  const listPath = path.child('x-kubernetes-list-type');
  if (listType != null) {
    if (type !== 'array') mustBe('array', 'x-kubernetes-list-type');
    else if (listType === 'set' && items !== undefined) validateSetItems(items, path.child('items'), errors);
    if (!['atomic', 'set', 'map'].includes(listType)) {
      errors.push(notSupportedError(listPath, listType, ['atomic', 'set', 'map']));
    }
  }
  if (keys.length > 0 && listType !== 'map') {
    const detail = 'must be map if x-kubernetes-list-map-keys is non-empty';
    errors.push(
      listType == null ? requiredError(listPath, detail) : invalidError(listPath, listType, detail),
    );
  }
  if (listType === 'map') validateKeys(schema, items, keys, path, errors);
}

function validateSetItems(items: Schema, path: FieldPath, errors: Errors): void {
  const listType = items['x-kubernetes-list-type'];
  const detail = 'must be atomic as item of a list with x-kubernetes-list-type=set';
  if (items.type === 'array' && listType != null && listType !== 'atomic') {
    errors.push(invalidError(path.child('x-kubernetes-list-type'), listType, detail));
  }
  if (items.type === 'object' && items['x-kubernetes-map-type'] !== 'atomic') {
    errors.push(invalidError(path.child('x-kubernetes-map-type'), listType ?? null, detail));
  }
  if (items.nullable) {
    const text = 'cannot be nullable when x-kubernetes-list-type is set';
    errors.push(forbiddenError(path.child('nullable'), text));
  }
}

function validateKeys(
  schema: Schema,
  items: Schema | undefined,
  keys: readonly string[],
  path: FieldPath,
  errors: Errors,
): void {
  const keysPath = path.child('x-kubernetes-list-map-keys');
  const itemsPath = path.child('items');
  if (keys.length === 0) {
    errors.push(requiredError(keysPath, 'must not be empty if x-kubernetes-list-type is map'));
  }
  if (schema.items == null) {
    errors.push(requiredError(itemsPath, 'must have a schema if x-kubernetes-list-type is map'));
  }
  if (items === undefined) return;
  if (items.type !== 'object') {
    const detail = "must be object if parent array's x-kubernetes-list-type is map";
    errors.push(invalidError(itemsPath.child('type'), items.type ?? '', detail));
  } else {
    for (const [index, key] of keys.entries()) {
      const property = items.properties?.[key];
      if (property === undefined) {
        const detail = 'entries must all be names of item properties';
        errors.push(invalidError(keysPath, keys, detail));
      } else if (property.type === 'array' || property.type === 'object') {
        const detail = "must be a scalar type if parent array's x-kubernetes-list-type is map";
        const at = itemsPath.child('properties').key(key).child('type');
        errors.push(invalidError(at, items.type, detail));
      }
      if (keys.indexOf(key) < index) {
        errors.push(invalidError(keysPath, keys, 'must not contain duplicate entries'));
      }
    }
  }
  if (items.nullable) {
    const detail = 'cannot be nullable when x-kubernetes-list-type is map';
    errors.push(forbiddenError(itemsPath.child('nullable'), detail));
  }
  for (const key of keys) {
    const property = items.properties?.[key];
    if (property === undefined) continue;
    const at = itemsPath.child('properties').key(key);
    const named = 'this property is in x-kubernetes-list-map-keys, so it';
    if (!(items.required ?? []).includes(key) && property.default === undefined) {
      errors.push(
        requiredError(at.child('default'), `${named} must have a default or be a required property`),
      );
    }
    if (property.nullable) errors.push(forbiddenError(at.child('nullable'), `${named} cannot be nullable`));
  }
}
