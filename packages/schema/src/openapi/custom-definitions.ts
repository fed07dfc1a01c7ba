/**
 * Definitions of a custom resource and its list: the schema as the definition gives it, with what every object
 * has put in. v2 cannot say all of it, and old kubectls stumble over some that it can, so that is left out.
 */

import {
  referenceTo,
  type DefinitionOptions,
  type GroupVersionKind,
  type OpenApiSchema,
} from './definitions.ts';
import { definitionName } from './names.ts';
import type { StructuralSchema } from '../custom/compile.ts';

/** What is published of a version of a custom resource. */
export interface CustomDescription {
  /** Undefined where the definition has none. */
  readonly schema: StructuralSchema | undefined;
  /** `spec.preserveUnknownFields` of old definitions. */
  readonly preserveUnknownFields: boolean;
  /** `spec.name`, without a dot in front. */
  readonly selectableFields: readonly string[];
}

export interface CustomNames {
  readonly kind: GroupVersionKind;
  readonly plural: string;
  /** Definitions' names: `com.example.v1.Gizmo`. */
  readonly name: string;
  readonly listName: string;
}

export function customDefinitionsOf(
  names: CustomNames,
  description: CustomDescription,
  options: DefinitionOptions,
): Record<string, OpenApiSchema> {
  const { kind, name, listName } = names;
  const listKind = { ...kind, kind: listName.slice(listName.lastIndexOf('.') + 1) };
  const { selectableFields } = description;
  const said = (schema: OpenApiSchema, one: GroupVersionKind): OpenApiSchema => ({
    ...schema,
    'x-kubernetes-group-version-kind': [{ group: one.group, kind: one.kind, version: one.version }],
    ...(selectableFields.length > 0 && {
      'x-kubernetes-selectable-fields': selectableFields.map((fieldPath) => ({ fieldPath })),
    }),
  });
  return {
    [name]: said(objectSchema(description, options), kind),
    [listName]: said(listSchema(names, options), listKind),
  };
}

function objectSchema(
  { schema, preserveUnknownFields }: CustomDescription,
  options: DefinitionOptions,
): OpenApiSchema {
  const isV2 = options.dialect === 'v2';
  const isOpen = preserveUnknownFields || schema?.['x-kubernetes-preserve-unknown-fields'] === true;
  // With any property given, kubectl would refuse all others.
  if (schema === undefined || (isV2 && isOpen)) return { type: 'object' };
  const published = publishedSchema(schema, options);
  return {
    ...published,
    properties: sortedMembers({
      ...(published['properties'] as OpenApiSchema | undefined),
      ...typeMembers(options),
      metadata: metadataReference('ObjectMeta', options),
    }),
  };
}

function listSchema({ kind, plural, name }: CustomNames, options: DefinitionOptions): OpenApiSchema {
  return {
    description: `${kind.kind}List is a list of ${kind.kind}`,
    type: 'object',
    required: ['items'],
    properties: sortedMembers({
      ...typeMembers(options),
      items: {
        description: `List of ${plural}. More info: ${conventions}`,
        type: 'array',
        items: referenceTo(name, options.dialect),
      },
      metadata: metadataReference('ListMeta', options),
    }),
  };
}

const typeMembers = (options: DefinitionOptions): OpenApiSchema => ({
  apiVersion: { ...describedAs('apiVersion', options), type: 'string' },
  kind: { ...describedAs('kind', options), type: 'string' },
});

/** In the words that every kind has for it; those of ConfigMap are taken. */
function describedAs(member: string, { descriptionOf }: DefinitionOptions): OpenApiSchema {
  const description = descriptionOf?.(definitionName('core/v1.ConfigMap'), member);
  return description ? { description } : {};
}

const conventions = 'https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md';

/** Part of the protocol, as conformance tests ask for it word by word: no other text of the API is written here. */
const metadataDescriptions = {
  ObjectMeta: `Standard object's metadata. More info: ${conventions}#metadata`,
  ListMeta: `Standard list metadata. More info: ${conventions}#types-kinds`,
} as const;

function metadataReference(type: 'ObjectMeta' | 'ListMeta', options: DefinitionOptions): OpenApiSchema {
  const reference = referenceTo(definitionName(`meta/v1.${type}`), options.dialect);
  return options.dialect === 'v2'
    ? reference
    : { description: metadataDescriptions[type], allOf: [reference] };
}

const sortedMembers = (members: OpenApiSchema): OpenApiSchema =>
  Object.fromEntries(Object.entries(members).sort(([a], [b]) => (a < b ? -1 : 1)));

function publishedSchema(schema: StructuralSchema, options: DefinitionOptions): OpenApiSchema {
  const prepared = options.dialect === 'v2' ? understoodInV2(schema) : withIntOrString(schema);
  const { properties, items, additionalProperties, ...rest } = prepared;
  const published: OpenApiSchema = { ...rest };
  if (properties) {
    published['properties'] = sortedMembers(
      Object.fromEntries(
        Object.entries(properties).map(([name, member]) => [name, publishedSchema(member, options)]),
      ),
    );
  }
  if (items !== undefined && !Array.isArray(items))
    published['items'] = publishedSchema(items as StructuralSchema, options);
  if (additionalProperties !== undefined) {
    published['additionalProperties'] =
      typeof additionalProperties === 'object'
        ? publishedSchema(additionalProperties, options)
        : additionalProperties;
  }
  return schema['x-kubernetes-embedded-resource'] ? embeddedResource(published, options) : published;
}

/** An object inside of an object has a type of its own, and must say it. */
function embeddedResource(published: OpenApiSchema, options: DefinitionOptions): OpenApiSchema {
  if (options.dialect === 'v2' && published['x-kubernetes-preserve-unknown-fields']) return published;
  const required = (published['required'] ?? []) as readonly string[];
  return {
    ...published,
    required: [...required, ...['kind', 'apiVersion'].filter((name) => !required.includes(name))],
    properties: sortedMembers({
      ...(published['properties'] as OpenApiSchema | undefined),
      ...typeMembers(options),
      metadata: metadataReference('ObjectMeta', options),
    }),
  };
}

const eitherType = [{ type: 'integer' }, { type: 'string' }];

function withIntOrString(schema: StructuralSchema): StructuralSchema {
  if (!schema['x-kubernetes-int-or-string'] || schema['anyOf'] !== undefined || schema['allOf'] !== undefined)
    return schema;
  return { ...schema, anyOf: eitherType };
}

/** `required` it knows; but what is demanded depends. */
const unknownToV2: ReadonlySet<string> = new Set([
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'default',
  'nullable',
  'required',
]);

/** Untyped values must have neither members nor elements for kubectl. */
function understoodInV2(schema: StructuralSchema): StructuralSchema {
  const { type, items, properties, ...rest } = schema;
  const isOpen = schema['x-kubernetes-preserve-unknown-fields'] === true;
  const isBare = schema.nullable === true || isOpen;
  const isTyped =
    !schema.nullable &&
    !(isOpen && type === 'object') &&
    !(type === 'array' && (isBare || items === undefined));
  const demanded = demandedMembers(schema, isBare ? {} : (properties ?? {}));
  const kept = Object.entries(rest).filter(([keyword]) => !unknownToV2.has(keyword));
  return {
    ...(isTyped && type !== undefined && { type }),
    ...(demanded.length > 0 && { required: demanded }),
    ...(!isBare && items !== undefined && { items }),
    ...(!isBare && properties && { properties }),
    ...Object.fromEntries(kept),
  };
}

/** A member that may be null cannot be demanded of somebody who cannot say null. */
function demandedMembers(
  { required, additionalProperties }: StructuralSchema,
  properties: Readonly<Record<string, StructuralSchema>>,
): readonly string[] {
  if (typeof additionalProperties === 'object' && additionalProperties.nullable) return [];
  return (required ?? []).filter((name) => !properties[name]?.nullable);
}
