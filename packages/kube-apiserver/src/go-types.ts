/** The Go types of kinds in upstream's scheme, which appear in messages about wrong bodies. */
import { groupVersionDirectories, kindsOf } from '@coxswain/api/group-versions.ts';
import { apiVersionOf, type GroupVersionKind } from '@coxswain/apimachinery';
import { unregisteredGroups } from './known-kinds.ts';
import type { Kind } from '@coxswain/schema';
import { internalVersion } from '@coxswain/apiserver/handlers/body/object-type.ts';
import { internalTypeName } from '@coxswain/apiserver/table/internal-type-name.ts';

type RegisteredKind = (apiVersion: string, kind: string) => Kind | undefined;

/** `v1.Secret` (the package of a version is named after the version alone); undefined for unregistered kinds. */
export const goTypes =
  (registeredKind: RegisteredKind) =>
  (type: GroupVersionKind, forGroup: string): string | undefined => {
    const { group, kind, version } = type;
    if (ofAnyVersion.has(kind)) return `v1.${kind}`;
    if (group !== forGroup && (ownSchemes.has(group) || ownSchemes.has(forGroup)))
      return apiVersionOf(type) === 'v1' && ofEveryVersion.has(kind) ? `v1.${kind}` : undefined;
    if (version === internalVersion)
      return isInternal(type, registeredKind) ? internalTypeName(type) : undefined;
    if (ofEveryVersion.has(kind)) return versions().has(apiVersionOf(type)) ? `v1.${kind}` : undefined;
    return isRegistered(type, registeredKind) ? `${version}.${kind}` : undefined;
  };

/** A stored kind is registered together with its list. */
function isRegistered(type: GroupVersionKind, registeredKind: RegisteredKind): boolean {
  const { kind } = type;
  const apiVersion = apiVersionOf(type);
  if (apiVersion === 'v1' && ofCoreAlone.has(kind)) return true;
  if (registeredKind(apiVersion, kind) !== undefined) return true;
  if (!kind.endsWith('List') || neverStored.has(type.group) || neverStored.has(kind)) return false;
  return registeredKind(apiVersion, kind.slice(0, -'List'.length))?.names !== undefined;
}

/** Kinds that are never stored and so have no list. */
const neverStored = new Set(['authentication.k8s.io', 'authorization.k8s.io', 'BindingList']);
/** Groups of the other servers in the chain, which have separate schemes. */
const ownSchemes = new Set(['apiextensions.k8s.io', 'apiregistration.k8s.io']);
/** Registered in any version, even one that doesn't exist. */
const ofAnyVersion = new Set(['Status', 'APIVersions', 'APIGroup', 'APIGroupList', 'APIResourceList']);
const ofEveryVersion = new Set([
  'WatchEvent',
  ...['List', 'Get', 'Delete', 'Create', 'Update', 'Patch'].map((verb) => `${verb}Options`),
]);
const ofCoreAlone = new Set(['List', 'PodStatusResult', 'RangeAllocation', 'SerializedReference']);

const isInternal = ({ group, kind }: GroupVersionKind, registeredKind: RegisteredKind): boolean =>
  [...versions().values()].some(
    ({ group: own, version }) => own === group && isRegistered({ group, version, kind }, registeredKind),
  );

let known: ReadonlyMap<string, Kind> | undefined;

/** A kind of each version. Kinds used only on the wire are not registered. */
const versions = (): ReadonlyMap<string, Kind> =>
  (known ??= new Map(
    groupVersionDirectories
      .flatMap(kindsOf)
      .filter(({ group }) => !unregisteredGroups.has(group))
      .map((kind) => [kind.apiVersion, kind]),
  ));
