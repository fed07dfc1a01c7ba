/** Derives CEL types from a structural schema. */

import {
  declaredBool,
  declaredDouble,
  declaredInt,
  declaredList,
  declaredMap,
  declaredString,
  type DeclaredField,
  type DeclaredType,
} from '../types/declared-type.ts';
import {
  bytesType,
  durationType,
  dynType,
  listType,
  mapType,
  stringType,
  structType,
  timestampType,
} from '../types/type.ts';
import { escapeFieldName } from './escape.ts';

/** The part of a schema that determines types. */
export interface SchemaProps {
  readonly type?: string;
  readonly format?: string;
  readonly nullable?: boolean;
  readonly properties?: Readonly<Record<string, SchemaProps>>;
  readonly required?: readonly string[];
  readonly items?: SchemaProps;
  readonly additionalProperties?: SchemaProps | boolean;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly maxProperties?: number;
  readonly 'x-kubernetes-int-or-string'?: boolean;
  readonly 'x-kubernetes-embedded-resource'?: boolean;
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean;
  readonly 'x-kubernetes-list-type'?: string;
  readonly 'x-kubernetes-list-map-keys'?: readonly string[];
}

export interface SchemaTypeOptions {
  /** The name of the outermost object type, which prefixes inner ones. */
  readonly name: string;
  /** Whether it is the schema of a whole resource, which always has apiVersion, kind and metadata. */
  readonly isResourceRoot: boolean;
}

/** The maximum size of a request in bytes, from which unbounded sizes are estimated. */
export const requestSizeMax = 3_145_728;

/** Undefined if the schema describes nothing that an expression could use. */
export function declaredTypeOfSchema(
  schema: SchemaProps,
  options: SchemaTypeOptions,
): DeclaredType | undefined {
  const declared = convert(schema, options.isResourceRoot, options.name);
  return declared && schema.nullable ? { ...declared, isNullable: true } : declared;
}

function convert(schema: SchemaProps, isResource: boolean, name: string): DeclaredType | undefined {
  if (schema['x-kubernetes-int-or-string']) {
    const elementsMax = schema.maxLength === undefined ? requestSizeMax - 2 : utf8Max(schema.maxLength);
    return { type: dynType, elementsMax, serializedSizeMin: 1, isIntOrString: true };
  }
  switch (schema.type) {
    case 'array':
      return arrayType(schema, name);
    case 'object':
      return typeof schema.additionalProperties === 'object' && !isResource
        ? mapTypeOf(schema, schema.additionalProperties, name)
        : objectType(isResource ? withObjectMeta(schema) : schema, name);
    case 'string':
      return textType(schema);
    case 'boolean':
      return declaredBool;
    case 'number':
      return declaredDouble;
    case 'integer':
      return declaredInt;
    default:
      return undefined;
  }
}

function inner(schema: SchemaProps, name: string): DeclaredType | undefined {
  const isResource = schema['x-kubernetes-embedded-resource'] ?? false;
  return declaredTypeOfSchema(schema, { name, isResourceRoot: isResource });
}

function arrayType(schema: SchemaProps, name: string): DeclaredType | undefined {
  const element = schema.items && inner(schema.items, `${name}.@idx`);
  if (!element) return undefined;
  const elementsMax = notNegative(
    schema.maxItems ?? Math.trunc((requestSizeMax - 2) / (element.serializedSizeMin + 1)),
  );
  const declared = { ...declaredList(element, elementsMax), type: listType(element.type) };
  const kind = schema['x-kubernetes-list-type'];
  if (kind === 'set') return { ...declared, listType: 'set' };
  if (kind !== 'map') return declared;
  const keys = (schema['x-kubernetes-list-map-keys'] ?? []).map((key) => escapeFieldName(key) ?? key);
  return { ...declared, listType: 'map', listMapKeys: keys };
}

function mapTypeOf(schema: SchemaProps, values: SchemaProps, name: string): DeclaredType | undefined {
  const element = inner(values, `${name}.@elem`);
  if (!element) return undefined;
  const elementsMax = notNegative(
    schema.maxProperties ?? Math.trunc((requestSizeMax - 2) / (element.serializedSizeMin + 6)),
  );
  return { ...declaredMap(declaredString, element, elementsMax), type: mapType(stringType, element.type) };
}

function objectType(schema: SchemaProps, name: string): DeclaredType {
  const required = new Set(schema.required ?? []);
  const fields = new Map<string, DeclaredField>();
  let serializedSizeMin = 2;
  for (const [dataName, property] of Object.entries(schema.properties ?? {})) {
    const fieldName = escapeFieldName(dataName);
    const type = inner(property, `${name}.${fieldName ?? dataName}`);
    if (!type) continue;
    if (fieldName !== undefined)
      fields.set(fieldName, { dataName, type, isRequired: required.has(dataName) });
    // Counts the quotes around the name, the colon and the comma.
    const isCounted = required.has(dataName) && (property.default === undefined || property.default === null);
    if (isCounted) serializedSizeMin += utf8Length(dataName) + type.serializedSizeMin + 4;
  }
  return { type: structType(name), fields, elementsMax: 0, serializedSizeMin };
}

const text: SchemaProps = { type: 'string' };

function withObjectMeta(schema: SchemaProps): SchemaProps {
  const { kind, apiVersion, metadata } = schema.properties ?? {};
  const isReported =
    kind?.type === 'string' &&
    apiVersion?.type === 'string' &&
    metadata?.type === 'object' &&
    metadata.properties?.name?.type === 'string' &&
    metadata.properties.generateName?.type === 'string';
  if (isReported) return schema;
  const meta: SchemaProps = { type: 'object', properties: { name: text, generateName: text } };
  return { ...schema, properties: { ...schema.properties, kind: text, apiVersion: text, metadata: meta } };
}

function textType(schema: SchemaProps): DeclaredType {
  switch (schema.format) {
    case 'byte':
      return {
        type: bytesType,
        elementsMax: schema.maxLength === undefined ? requestSizeMax - 2 : notNegative(schema.maxLength),
        serializedSizeMin: 2,
        format: 'byte',
      };
    case 'duration':
      return { type: durationType, elementsMax: 32, serializedSizeMin: 3, format: 'duration' };
    case 'date':
      return { type: timestampType, elementsMax: 12, serializedSizeMin: 12, format: 'date' };
    case 'date-time':
      return { type: timestampType, elementsMax: 32, serializedSizeMin: 21, format: 'date-time' };
    default:
      return { type: stringType, elementsMax: textLengthMax(schema), serializedSizeMin: 2 };
  }
}

function textLengthMax({ maxLength, enum: values = [] }: SchemaProps): number {
  if (maxLength !== undefined) return utf8Max(maxLength);
  if (values.length === 0) return requestSizeMax - 2;
  return Math.max(0, ...values.map((value) => (typeof value === 'string' ? utf8Length(value) : 0)));
}

const notNegative = (value: number): number => Math.max(value, 0);

/** A character has at most four bytes. */
const utf8Max = (characters: number): number => notNegative(characters) * 4;

const encoder = new TextEncoder();
const utf8Length = (value: string): number => encoder.encode(value).length;
