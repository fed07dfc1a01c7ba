/**
 * Compiles a custom resource's structural schema to the same types that built-in kinds use, so that decoding,
 * defaulting, apply and OpenAPI share their code. What only validation needs stays in `constraints`.
 */

import { ObjectMeta } from '../meta.ts';
import {
  any,
  atomicList,
  atomicMap,
  bool,
  bytes,
  float64,
  int32,
  int64,
  intOrString,
  list,
  listMap,
  listSet,
  map,
  pointer,
  string,
  struct,
  type Field,
  type FieldOptions,
  type Fields,
  type ListType,
  type ScalarType,
  type StructType,
  type Type,
} from '../type.ts';

/** The part of JSONSchemaProps that is used here. */
export interface StructuralSchema {
  readonly type?: string;
  readonly format?: string;
  readonly nullable?: boolean;
  readonly default?: unknown;
  readonly required?: readonly string[] | null;
  readonly enum?: readonly unknown[] | null;
  readonly properties?: Readonly<Record<string, StructuralSchema>> | null;
  readonly additionalProperties?: StructuralSchema | boolean;
  readonly items?: StructuralSchema | readonly StructuralSchema[];
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean;
  readonly 'x-kubernetes-embedded-resource'?: boolean;
  readonly 'x-kubernetes-int-or-string'?: boolean;
  readonly 'x-kubernetes-list-type'?: string;
  readonly 'x-kubernetes-list-map-keys'?: readonly string[] | null;
  readonly 'x-kubernetes-map-type'?: string;
  readonly [keyword: string]: unknown;
}

export interface CustomKindNames {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** The type of whole objects, including apiVersion, kind and metadata. */
export function compileCustomType(
  { group, version, kind }: CustomKindNames,
  schema: StructuralSchema | undefined,
  preserveUnknownFields = false,
): StructType {
  const root = schema ?? { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  const preserves = preserveUnknownFields || root['x-kubernetes-preserve-unknown-fields'] === true;
  const own = fieldsOf(root, preserves);
  const name = [...group.split('.').reverse(), version, kind].join('.');
  return {
    ...struct(name, sorted({ ...own, ...resourceFields }), {
      preserveUnknown: preserves,
    }),
    isCustom: true,
    constraints: constraintsOf(root),
  };
}

const resourceFields: Fields = {
  apiVersion: pointer(0, string),
  kind: pointer(0, string),
  metadata: pointer(0, ObjectMeta),
};

/** @param isBelowOpen whether an enclosing schema preserves unknown fields, which matters to apply */
function typeOf(schema: StructuralSchema, isBelowOpen: boolean): Type {
  const constraints = constraintsOf(schema);
  const type = bareTypeOf(schema, isBelowOpen || schema['x-kubernetes-preserve-unknown-fields'] === true);
  return Object.keys(constraints).length === 0 ? type : { ...type, constraints };
}

function bareTypeOf(schema: StructuralSchema, isOpen: boolean): Exclude<Type, { form: 'deferred' }> {
  if (schema['x-kubernetes-int-or-string']) return intOrString;
  switch (schema.type) {
    case 'object':
      return objectTypeOf(schema, isOpen);
    case 'array':
      return listTypeOf(schema, isOpen);
    case 'string':
      return stringTypeOf(schema);
    case 'integer':
      return schema.format === 'int32' ? int32 : int64;
    case 'number':
      return float64;
    case 'boolean':
      return bool;
    default:
      return schema['x-kubernetes-preserve-unknown-fields'] ? deducedTypeOf(schema) : any;
  }
}

/** A value of any type. Members that the schema names are pruned if it is an object. */
function deducedTypeOf(schema: StructuralSchema): ScalarType {
  const fields = fieldsOf(schema, true);
  const members = struct('', sorted(fields), { preserveUnknown: true });
  return { ...any, isDeduced: true, ...(Object.keys(fields).length > 0 && { members }) };
}

function objectTypeOf(schema: StructuralSchema, isOpen: boolean): Exclude<Type, { form: 'deferred' }> {
  const { additionalProperties } = schema;
  const isAtomic = schema['x-kubernetes-map-type'] === 'atomic';
  if (typeof additionalProperties === 'object') {
    const value = typeOf(additionalProperties, isOpen);
    const type = isAtomic ? atomicMap(value) : map(value);
    return additionalProperties.nullable ? { ...type, keepNulls: true } : type;
  }
  const fields = schema['x-kubernetes-embedded-resource']
    ? { ...fieldsOf(schema, isOpen), ...resourceFields }
    : fieldsOf(schema, isOpen);
  const type = struct('', sorted(fields), {
    atomic: isAtomic,
    preserveUnknown: schema['x-kubernetes-preserve-unknown-fields'] === true || additionalProperties === true,
  });
  const isFree = additionalProperties === undefined && (isOpen || Object.keys(fields).length === 0);
  return isFree && !type.preserveUnknown ? { ...type, isOpenToApply: true } : type;
}

function listTypeOf(schema: StructuralSchema, isOpen: boolean): ListType {
  const type = mergedListOf(schema, isOpen);
  return schema['x-kubernetes-preserve-unknown-fields'] ? { ...type, preserveUnknown: true } : type;
}

function mergedListOf(schema: StructuralSchema, isOpen: boolean): ListType {
  const items = Array.isArray(schema.items) ? undefined : (schema.items as StructuralSchema | undefined);
  const element = items === undefined ? any : typeOf(items, isOpen);
  switch (schema['x-kubernetes-list-type']) {
    case 'set':
      return listSet(element);
    case 'map':
      return listMap(element, schema['x-kubernetes-list-map-keys'] ?? []);
    case 'atomic':
      return atomicList(element);
    default:
      return list(element);
  }
}

function stringTypeOf({ format, enum: values }: StructuralSchema): ScalarType {
  if (format === 'byte') return bytes;
  const texts = values?.filter((value) => typeof value === 'string') ?? [];
  return {
    ...string,
    ...(texts.length > 0 && { values: texts }),
    ...(format !== undefined && format !== '' && { applied: 'scalar' }),
  };
}

function fieldsOf({ properties, required }: StructuralSchema, isOpen: boolean): Record<string, Field> {
  return Object.fromEntries(
    Object.entries(properties ?? {}).map(([name, schema]) => [
      name,
      fieldOf(schema, required?.includes(name) ?? false, isOpen),
    ]),
  );
}

function fieldOf(schema: StructuralSchema, isRequired: boolean, isBelowOpen: boolean): Field {
  const options: FieldOptions = {
    ...(isRequired && { required: true }),
    ...(schema.default !== undefined && { default: schema.default, defaultPublished: true }),
    ...(schema.nullable && { keepNull: true }),
  };
  return pointer(0, typeOf(schema, isBelowOpen), options);
}

const sorted = (fields: Record<string, Field>): Record<string, Field> =>
  Object.fromEntries(Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1)));

/** Keywords expressed by the type itself. */
const structuralKeywords: ReadonlySet<string> = new Set([
  'properties',
  'items',
  'additionalProperties',
  'default',
  'x-kubernetes-preserve-unknown-fields',
  'x-kubernetes-embedded-resource',
  'x-kubernetes-list-type',
  'x-kubernetes-list-map-keys',
  'x-kubernetes-map-type',
]);

const constraintsOf = (schema: StructuralSchema): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(schema).filter(([keyword]) => !structuralKeywords.has(keyword)));
