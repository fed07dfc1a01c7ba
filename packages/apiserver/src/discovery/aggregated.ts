/** Aggregated discovery (apidiscovery.k8s.io/v2): a whole group in one document, which clients read since 1.27. */
import type { ApiGroup, ApiResource, ApiVersion } from '../api-group.ts';
import {
  discoveredKind,
  listed,
  singularNameOf,
  sortedResources,
  type DiscoveredKind,
} from './resource-list.ts';
import { verbsOf } from './verbs.ts';

export function groupDiscovery(group: ApiGroup): object {
  return {
    metadata: group.name === '' ? {} : { name: group.name },
    versions: group.versions.map((version) => ({
      version: version.version,
      ...(version.elsewhere ?? { resources: mainResources(group, version), freshness: 'Current' }),
    })),
  };
}

/** Kinds of custom resources always have their full group and version here. */
const answeredKind = (group: ApiGroup, version: ApiVersion, resource: ApiResource): DiscoveredKind =>
  resource.custom === undefined
    ? discoveredKind(group, version, resource)
    : fullKind(resource.discoveryKind ?? resource.kind ?? resource.storage.kind);

const fullKind = ({ group, version, kind }: DiscoveredKind): DiscoveredKind => ({ group, version, kind });

function mainResources(group: ApiGroup, version: ApiVersion): readonly object[] {
  const entries = sortedResources(version);
  const below = subresourcesByParent(entries);
  return entries
    .filter(([path]) => !path.includes('/'))
    .map(([path, resource]) => ({
      resource: path,
      responseKind: answeredKind(group, version, resource),
      scope: resource.storage.namespaced ? 'Namespaced' : 'Cluster',
      singularResource: singularNameOf(resource),
      verbs: resource.verbs ?? verbsOf(resource.storage),
      ...listed('shortNames', resource.shortNames),
      ...listed('categories', resource.categories),
      ...subresourcesOf(group, version, below.get(path)),
    }));
}

type Entries = readonly (readonly [path: string, resource: ApiResource])[];

function subresourcesByParent(entries: Entries): ReadonlyMap<string, Entries> {
  const below = new Map<string, (readonly [string, ApiResource])[]>();
  for (const [path, resource] of entries) {
    const slash = path.indexOf('/');
    if (slash < 0) continue;
    const parent = path.slice(0, slash);
    const known = below.get(parent);
    const entry = [path.slice(slash + 1), resource] as const;
    if (known === undefined) below.set(parent, [entry]);
    else known.push(entry);
  }
  return below;
}

function subresourcesOf(
  group: ApiGroup,
  version: ApiVersion,
  below: Entries | undefined,
): object | undefined {
  if (below === undefined) return undefined;
  return {
    subresources: below.map(([subresource, resource]) => ({
      subresource,
      responseKind: answeredKind(group, version, resource),
      verbs: verbsOf(resource.storage),
    })),
  };
}
