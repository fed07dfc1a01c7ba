/** The definitions that operations refer to, with everything these refer to, sorted by name. */

import { customDefinitionsOf } from './custom-definitions.ts';
import { definitionsOf, type DefinitionOptions, type OpenApiSchema } from './definitions.ts';
import { definitionName } from './names.ts';
import { ListMeta, ObjectMeta } from '../meta.ts';
import type { OpenApiGroupVersion, OpenApiResource, PathOperations } from './operations.ts';
import type { StructType } from '../type.ts';

export interface DescribedOptions extends DefinitionOptions {
  /** Structs of meta/v1 and the like that operations may refer to. */
  readonly metaTypes: readonly StructType[];
}

/** For built-in kinds. @param groupVersion undefined for non-resource paths */
export const describedDefinitions = (
  groupVersion: OpenApiGroupVersion | undefined,
  operations: PathOperations,
  options: DescribedOptions,
): Record<string, OpenApiSchema> =>
  definitionsOf(referencedTypes(groupVersion?.resources ?? [], operations, options.metaTypes), options);

/** The definitions of a custom resource itself, without types that all resources share. */
export const customDefinitions = (
  { custom, kind, plural, type, listType }: OpenApiResource,
  options: DefinitionOptions,
): Record<string, OpenApiSchema> =>
  custom === undefined
    ? {}
    : customDefinitionsOf({ kind, plural, name: type.name, listName: listType!.name }, custom, options);

/** From the resources' own types and those of meta/v1; custom resources add those of their metadata. */
export function referencedTypes(
  resources: readonly OpenApiResource[],
  operations: PathOperations,
  metaTypes: readonly StructType[],
): readonly StructType[] {
  const names = new Set<string>();
  for (const operation of [...operations.values()].flat()) {
    if (operation.body !== undefined) names.add(operation.body.definition);
    for (const { definition } of operation.responses) names.add(definition);
  }
  const candidates = resources.flatMap(({ type, listType, subresources = [], custom }) => [
    ...(custom === undefined ? [type, listType] : []),
    ...subresources.map((subresource) =>
      subresource.type === type && custom ? undefined : subresource.type,
    ),
  ]);
  const referenced = [...candidates, ...metaTypes].filter(
    (type): type is StructType => type !== undefined && names.has(definitionName(type.name)),
  );
  const isCustom = resources.some(({ custom }) => custom !== undefined);
  return isCustom ? [...referenced, ObjectMeta, ListMeta] : referenced;
}
