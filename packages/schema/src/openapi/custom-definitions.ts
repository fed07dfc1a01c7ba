/**
 * The definitions of a custom resource and its list: the schema from the CustomResourceDefinition, completed by what
 * every object has. v2 cannot express all of it, and old kubectls fail on some of the rest, so that is left out.
 */

import {
  referenceTo,
  type DefinitionOptions,
  type GroupVersionKind,
  type OpenApiSchema,
} from './definitions.ts';
import { definitionName } from './names.ts';
import type { StructuralSchema } from '../custom/compile.ts';

/** The published description of a version of a custom resource. */
export interface CustomDescription {
  /** Undefined if the CustomResourceDefinition has none. */
  readonly schema: StructuralSchema | undefined;
  /** `spec.preserveUnknownFields` of old definitions. */
  readonly preserveUnknownFields: boolean;
  /** `spec.name`, without a leading dot. */
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
  // If any property were given, kubectl would refuse all others.
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

/** With the description that every kind has for the member, taken from ConfigMap. */
function describedAs(member: string, { descriptionOf }: DefinitionOptions): OpenApiSchema {
  const description = descriptionOf?.(definitionName('core/v1.ConfigMap'), member);
  return description ? { description } : {};
}

const conventions = 'https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md';

/**
 * Conformance tests check these verbatim, so they are part of the protocol: no other descriptions of the API are
 * written here.
 */
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

/** An embedded object has a type of its own, and must state it. */
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

/** kubectl knows `required`, but its value depends on other parts of the schema. */
const unknownToV2: ReadonlySet<string> = new Set([
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'default',
  'nullable',
  'required',
]);

/** For kubectl, untyped values must have neither members nor elements. */
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

/** A nullable member cannot be required from clients that cannot send null. */
function demandedMembers(
  { required, additionalProperties }: StructuralSchema,
  properties: Readonly<Record<string, StructuralSchema>>,
): readonly string[] {
  if (typeof additionalProperties === 'object' && additionalProperties.nullable) return [];
  return (required ?? []).filter((name) => !properties[name]?.nullable);
}
