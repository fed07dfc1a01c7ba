/** The resources of one group version: `/apis/apps/v1`. */
import type { ApiGroup, ApiResource, ApiVersion } from '../api-group.ts';
import type { DiscoveryDocument } from './respond-document.ts';
import { verbsOf } from './verbs.ts';

export interface DiscoveredKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** The kind in discovery; group and version are empty where they equal the path's. */
export function discoveredKind(
  group: ApiGroup,
  { version }: ApiVersion,
  resource: ApiResource,
): DiscoveredKind {
  const kind = resource.discoveryKind ?? resource.kind ?? resource.storage.kind;
  // A resource with an explicit discoveryKind always states it in full.
  const isOwn = resource.discoveryKind === undefined && kind.group === group.name && kind.version === version;
  return isOwn
    ? { group: '', version: '', kind: kind.kind }
    : { group: kind.group, version: kind.version, kind: kind.kind };
}

/** Sorted by path; subresources of custom resources keep upstream's order. */
export const sortedResources = ({ resources }: ApiVersion): readonly (readonly [string, ApiResource])[] =>
  Object.entries(resources).sort(([a, { custom }], [b]) => {
    const [left, right] = custom === undefined ? [a, b] : [resourceOf(a), resourceOf(b)];
    return left === right ? 0 : left < right ? -1 : 1;
  });

function resourceOf(path: string): string {
  const slash = path.indexOf('/');
  return slash < 0 ? path : path.slice(0, slash);
}

export function resourceList(group: ApiGroup, version: ApiVersion): DiscoveryDocument {
  const groupVersion = group.name === '' ? version.version : `${group.name}/${version.version}`;
  return {
    kind: 'APIResourceList',
    // Retained from before discovery was versioned.
    ...(group.name === '' ? undefined : { apiVersion: 'v1' }),
    groupVersion,
    resources: sortedResources(version).map(([name, resource]) => entryOf(group, version, name, resource)),
  };
}

function entryOf(group: ApiGroup, version: ApiVersion, name: string, resource: ApiResource): object {
  const { storage } = resource;
  const { group: kindGroup, version: kindVersion, kind } = discoveredKind(group, version, resource);
  return {
    name,
    singularName: name.includes('/') ? '' : singularNameOf(resource),
    namespaced: storage.namespaced,
    ...(kindVersion === '' ? undefined : { group: kindGroup, version: kindVersion }),
    kind,
    verbs: resource.verbs ?? verbsOf(storage),
    ...listed('shortNames', resource.shortNames),
    ...listed('categories', resource.categories),
    ...(resource.storageVersionHash === undefined
      ? undefined
      : { storageVersionHash: resource.storageVersionHash }),
  };
}

export const singularNameOf = ({ singularName, kind, storage }: ApiResource): string =>
  singularName ?? (kind ?? storage.kind).kind.toLowerCase();

export const listed = (name: string, values: readonly string[] | undefined): object | undefined =>
  values === undefined || values.length === 0 ? undefined : { [name]: values };
