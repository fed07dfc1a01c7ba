/** Traverses nested schemas. */

import type { JSONSchemaProps } from './v1/json-schema-props.ts';

export type Schema = JSONSchemaProps;

/** The value of `items`, `additionalProperties` or an entry of `dependencies`, if it is a schema. */
export const schemaOf = (value: unknown): Schema | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Schema) : undefined;

export const junctors = ['allOf', 'anyOf', 'oneOf'] as const;

/** Whether the test holds for the schema or any nested one. */
export const anySchema = (schema: Schema | null | undefined, test: (schema: Schema) => boolean): boolean =>
  schema != null && (test(schema) || childrenOf(schema).some((child) => anySchema(child, test)));

/** Visits the schema and all nested ones. */
export function forEachSchema(schema: Schema | null | undefined, visit: (schema: Schema) => void): void {
  if (schema == null) return;
  visit(schema);
  for (const child of childrenOf(schema)) forEachSchema(child, visit);
}

/** In upstream's order of traversal. */
function childrenOf(schema: Schema): Schema[] {
  const { items } = schema;
  const one = (value: unknown): Schema[] => (schemaOf(value) === undefined ? [] : [value as Schema]);
  const all = (members: Readonly<Record<string, unknown>> | null | undefined): Schema[] =>
    sortedEntries(members).flatMap(([, value]) => one(value));
  return [
    ...(Array.isArray(items) ? (items as Schema[]) : one(items)),
    ...(schema.allOf ?? []),
    ...(schema.anyOf ?? []),
    ...(schema.oneOf ?? []),
    ...one(schema.not),
    ...all(schema.properties),
    ...one(schema.additionalProperties),
    ...all(schema.patternProperties),
    ...one(schema.additionalItems),
    ...all(schema.definitions),
    ...all(schema.dependencies),
  ];
}

/** The order of errors about `properties.<name>` and the like must not depend on a map's order. */
export const sortedEntries = <Value>(
  members: Readonly<Record<string, Value>> | null | undefined,
): [string, Value][] => Object.entries(members ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
