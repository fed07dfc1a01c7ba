/** The kinds that a struct is: OpenAPI's `x-kubernetes-group-version-kind`. */
import { groupVersionFolders, kindsOf } from '@coxswain/api/group-versions.ts';
import type { GroupVersionKind } from '@coxswain/schema/openapi.ts';

let known: ReadonlyMap<string, readonly GroupVersionKind[]> | undefined;

export const shapeKindsByStruct = (structName: string): readonly GroupVersionKind[] =>
  (known ??= allKinds()).get(structName) ?? [];

function allKinds(): ReadonlyMap<string, readonly GroupVersionKind[]> {
  const kinds = new Map<string, GroupVersionKind[]>();
  const add = (structName: string, kind: GroupVersionKind) =>
    kinds.set(structName, [...(kinds.get(structName) ?? []), kind]);
  for (const folder of groupVersionFolders) {
    if (folder === 'meta/v1') continue;
    for (const { type, listType, group, version, kind, names } of kindsOf(folder)) {
      add(type.name, { group, version, kind });
      if (names !== undefined) add(listType.name, { group, version, kind: `${kind}List` });
    }
  }
  return kinds;
}
