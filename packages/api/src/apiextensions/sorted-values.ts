/** Upstream keeps the values in a schema as Go maps, which are written with sorted members. */

import { forEachSchema, type Schema } from './schema-tree.ts';
import type { CustomResourceDefinitionSpec } from './v1/custom-resource-definition-spec.ts';

/** Sorts the members of all defaults, enum values and examples. */
export function sortSchemaValues({ spec }: { readonly spec: CustomResourceDefinitionSpec }): void {
  for (const { schema } of spec.versions ?? []) forEachSchema(schema?.openAPIV3Schema, sortValues);
}

function sortValues(schema: Schema): void {
  if (isComposed(schema.default)) schema.default = withSortedMembers(schema.default);
  if (isComposed(schema.example)) schema.example = withSortedMembers(schema.example);
  if (schema.enum?.some(isComposed)) schema.enum = schema.enum.map(withSortedMembers);
}

const isComposed = (value: unknown): boolean => typeof value === 'object' && value !== null;

/** At every depth. */
export function withSortedMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withSortedMembers);
  if (!isComposed(value)) return value;
  const members = Object.entries(value as object).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(
    members.map(([name, member]: [string, unknown]) => [name, withSortedMembers(member)]),
  );
}
