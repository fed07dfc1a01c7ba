/** The kinds of a struct: OpenAPI's `x-kubernetes-group-version-kind`. */
import { groupVersionDirectories, kindsOf } from '@coxswain/api/group-versions.ts';
import type { GroupVersionKind } from '@coxswain/schema/openapi.ts';
import { isForgotten } from './known-kinds.ts';

type GroupVersion = Pick<GroupVersionKind, 'group' | 'version'>;

/** @param groupVersions those that include the kinds of every group version: DeleteOptions, WatchEvent */
export const structKinds =
  (groupVersions: readonly GroupVersion[]) =>
  (structName: string): readonly GroupVersionKind[] => {
    if (ofEveryVersion.has(structName)) {
      const kind = structName.slice(structName.indexOf('.') + 1);
      return [core, ...groupVersions].map(({ group, version }) => ({ group, version, kind }));
    }
    return (known ??= allKinds()).get(structName) ?? [];
  };

/** All group versions but core that upstream registers, served or not, sorted by name. */
export const registeredGroupVersions = (): readonly GroupVersion[] => registered;

/** Those of upstream's own groups, without custom resources and aggregated ones. */
export const nativeGroupVersions = (): readonly GroupVersion[] =>
  registered.filter(({ group }) => !notNative.has(group));

const core: GroupVersion = { group: '', version: 'v1' };
const ofEveryVersion: ReadonlySet<string> = new Set(['meta/v1.DeleteOptions', 'meta/v1.WatchEvent']);
/** Kinds of meta/v1 that are published as those of the core group. */
const ofCore = ['APIGroup', 'APIGroupList', 'APIResourceList', 'APIVersions', 'Status'];
const notNative: ReadonlySet<string> = new Set([
  'admission.k8s.io',
  'apiextensions.k8s.io',
  'apiregistration.k8s.io',
  'imagepolicy.k8s.io',
]);
/** Groups whose kinds exist only on the wire. */
const notRegistered: ReadonlySet<string> = new Set(['apidiscovery.k8s.io', 'meta.k8s.io', '']);

let known: ReadonlyMap<string, readonly GroupVersionKind[]> | undefined;

const registered: readonly GroupVersion[] = groupVersionDirectories
  .map((directory) => kindsOf(directory).find((kind) => !isForgotten(kind)))
  .filter((kind) => kind !== undefined)
  .filter(({ group }) => !notRegistered.has(group))
  .map(({ group, version }) => ({ group, version }))
  .sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));

function nameOf({ group, version }: GroupVersion): string {
  return `${group}/${version}`;
}

function allKinds(): ReadonlyMap<string, readonly GroupVersionKind[]> {
  const kinds = new Map<string, GroupVersionKind[]>(
    ofCore.map((kind) => [`meta/v1.${kind}`, [{ ...core, kind }]]),
  );
  const add = (structName: string, kind: GroupVersionKind) =>
    kinds.set(structName, [...(kinds.get(structName) ?? []), kind]);
  for (const directory of groupVersionDirectories) {
    if (directory === 'meta/v1') continue;
    for (const { type, listType, group, version, kind, names } of kindsOf(directory)) {
      add(type.name, { group, version, kind });
      if (names !== undefined) add(listType.name, { group, version, kind: `${kind}List` });
    }
  }
  return kinds;
}
