/** The definitions that operations speak of, and all that these lead to, sorted by name. */

import { customDefinitionsOf } from './custom-definitions.ts';
import { definitionsOf } from './definitions.ts';
import { definitionName } from './names.ts';
import { ListMeta, ObjectMeta } from '../meta.ts';
import type { DefinitionOptions, OpenApiSchema } from './definitions.ts';
import type { OpenApiGroupVersion, OpenApiResource, PathOperations } from './operations.ts';
import type { StructType } from '../type.ts';

export interface DescribedOptions extends DefinitionOptions {
  /** Structs of meta/v1 and such that operations may speak of. */
  readonly metaTypes: readonly StructType[];
}

/** @param groupVersion undefined for paths without resources */
export function describedDefinitions(
  groupVersion: OpenApiGroupVersion | undefined,
  operations: PathOperations,
  options: DescribedOptions,
): Record<string, OpenApiSchema> {
  const resources = groupVersion?.resources ?? [];
  const builtIn = definitionsOf(referencedTypes(resources, operations, options.metaTypes), options);
  const custom = resources.map((resource) => customDefinitions(resource, options));
  return Object.fromEntries(
    Object.entries(Object.assign({}, ...custom, builtIn) as Record<string, OpenApiSchema>).sort(([a], [b]) =>
      a < b ? -1 : 1,
    ),
  );
}

const customDefinitions = (
  { custom, kind, plural, type, listType }: OpenApiResource,
  options: DefinitionOptions,
): Record<string, OpenApiSchema> =>
  custom === undefined
    ? {}
    : customDefinitionsOf({ kind, plural, name: type.name, listName: listType!.name }, custom, options);

/** Out of the resources' own types and those of meta/v1; custom resources bring their metadata's. */
function referencedTypes(
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
