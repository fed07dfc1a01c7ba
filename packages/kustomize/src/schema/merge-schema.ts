/** How the lists of each kind are merged. */
import {
  builtinDefinitions,
  builtinKinds,
  type MergeDefinitions,
  type MergeField,
} from './builtin-definitions.ts';

export interface KnownKinds {
  readonly definitions: MergeDefinitions;
  /** `apiVersion/kind` to the definition of the kind. */
  readonly kinds: Readonly<Record<string, string>>;
}

export const builtinSchema: KnownKinds = { definitions: builtinDefinitions, kinds: builtinKinds };

/** A path in an object of a known kind. */
export interface SchemaPlace {
  readonly schema: KnownKinds;
  readonly field: MergeField;
}

export function placeOfKind(schema: KnownKinds, apiVersion: string, kind: string): SchemaPlace | undefined {
  const of = schema.kinds[`${apiVersion}/${kind}`];
  return of === undefined ? undefined : { schema, field: { of } };
}

export function placeOfField(place: SchemaPlace | undefined, name: string): SchemaPlace | undefined {
  const fields = place?.schema.definitions[place.field.of ?? ''];
  if (place === undefined || fields === undefined || !Object.hasOwn(fields, name)) return undefined;
  return { schema: place.schema, field: fields[name] as MergeField };
}

export const placeOfItems = (place: SchemaPlace | undefined): SchemaPlace | undefined =>
  place?.field.of === undefined ? undefined : { schema: place.schema, field: { of: place.field.of } };

export const isMerged = (place: SchemaPlace | undefined): boolean =>
  place?.field.strategy?.split(',').includes('merge') ?? false;
