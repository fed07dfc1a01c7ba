import type { SpecObject } from '../meta/kind-object.ts';

type SchemaObject = SpecObject<{ matchingPrecedence: number }>;

/** The order in which flow schemas are asked whether they match, and that of the rows of their table. */
export const byPrecedence = (one: SchemaObject, other: SchemaObject): number =>
  one.spec.matchingPrecedence - other.spec.matchingPrecedence ||
  (one.metadata.name! < other.metadata.name! ? -1 : 1);
