/** The structs that a group version's operations speak of. */

import { definitionName } from './names.ts';
import type { OpenApiGroupVersion, PathOperations } from './operations.ts';
import type { StructType } from '../type.ts';

/** Out of the resources' own types and those of meta/v1. */
export function referencedTypes(
  { resources }: OpenApiGroupVersion,
  operations: PathOperations,
  metaTypes: readonly StructType[],
): readonly StructType[] {
  const names = new Set<string>();
  for (const operation of [...operations.values()].flat()) {
    if (operation.body !== undefined) names.add(operation.body.definition);
    for (const { definition } of operation.responses) names.add(definition);
  }
  const candidates = resources.flatMap(({ type, listType, subresources = [] }) => [
    type,
    listType,
    ...subresources.map((subresource) => subresource.type),
  ]);
  return [...candidates, ...metaTypes].filter(
    (type): type is StructType => type !== undefined && names.has(definitionName(type.name)),
  );
}
