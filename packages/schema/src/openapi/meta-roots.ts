/** The structs that a group version's document must define. */

import type { OpenApiGroupVersion } from './operations.ts';
import type { StructType } from '../type.ts';

export function metaRoots(
  { resources }: OpenApiGroupVersion,
  metaTypes: readonly StructType[],
): readonly StructType[] {
  const roots = resources.flatMap(({ type, listType, subresources = [] }) => [
    type,
    ...(listType === undefined ? [] : [listType]),
    ...subresources.flatMap((subresource) => (subresource.type === undefined ? [] : [subresource.type])),
  ]);
  return [...roots, ...metaTypes];
}
