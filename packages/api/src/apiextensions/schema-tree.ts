/** Schemas inside schemas. */

import type { JSONSchemaProps } from './v1/json-schema-props.ts';

export type Schema = JSONSchemaProps;

/** What stands at `items`, `additionalProperties` or in `dependencies`, where it is a schema. */
export const schemaOf = (value: unknown): Schema | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Schema) : undefined;

export const junctors = ['allOf', 'anyOf', 'oneOf'] as const;

/** Whether the schema or one inside it, wherever that stands, is of a kind. */
export const anySchema = (schema: Schema | null | undefined, test: (schema: Schema) => boolean): boolean =>
  schema != null && (test(schema) || childrenOf(schema).some((child) => anySchema(child, test)));

function childrenOf(schema: Schema): Schema[] {
  const { items, additionalProperties, additionalItems, not } = schema;
  const single = [items, additionalProperties, additionalItems, not].map(schemaOf);
  const maps = [schema.properties, schema.patternProperties, schema.definitions, schema.dependencies];
  return [
    ...single.filter((child) => child !== undefined),
    ...(Array.isArray(items) ? (items as Schema[]) : []),
    ...junctors.flatMap((name) => schema[name] ?? []),
    ...maps.flatMap((map) => Object.values(map ?? {}).map(schemaOf)).filter((child) => child !== undefined),
  ];
}

/** The text of an error about `properties.<name>` and the like must not depend on a map's order. */
export const sortedEntries = <Value>(
  members: Readonly<Record<string, Value>> | null | undefined,
): [string, Value][] => Object.entries(members ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
