import type { SpecObject } from '../meta/kind-object.ts';

type SchemaObject = SpecObject<{ matchingPrecedence: number }>;

/** The matching order of flow schemas, and the order of their table's rows. */
export const byPrecedence = (one: SchemaObject, other: SchemaObject): number =>
  one.spec.matchingPrecedence - other.spec.matchingPrecedence ||
  (one.metadata.name! < other.metadata.name! ? -1 : 1);
