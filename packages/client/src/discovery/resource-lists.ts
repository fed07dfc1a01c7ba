/**
 * APIGroupList and APIResourceList: the responses of servers without aggregated discovery, and the contents of caches.
 */

import { parseApiVersion } from '@coxswain/apimachinery';
import type { ApiResource, ApiSubresource } from './discovered.ts';

export interface ApiGroup {
  readonly name: string;
  readonly versions: readonly { readonly groupVersion: string; readonly version?: string }[];
  readonly preferredVersion?: { readonly groupVersion: string; readonly version?: string };
}

export interface ApiGroupList {
  readonly kind: 'APIGroupList';
  readonly apiVersion: 'v1';
  readonly groups: readonly ApiGroup[];
}

export interface ApiResourceEntry {
  readonly name: string;
  readonly singularName?: string;
  readonly namespaced?: boolean;
  readonly group?: string;
  readonly version?: string;
  readonly kind?: string;
  readonly verbs?: readonly string[];
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
}

export interface ApiResourceList {
  readonly kind: 'APIResourceList';
  readonly apiVersion: 'v1';
  readonly groupVersion: string;
  readonly resources: readonly ApiResourceEntry[];
}

export function resourcesOf(groupVersion: string, found: readonly ApiResourceEntry[]): ApiResource[] {
  const { group, version } = parseApiVersion(groupVersion);
  const subresources = Map.groupBy(
    found.filter(({ name }) => name.includes('/')),
    ({ name }) => name.slice(0, name.indexOf('/')),
  );
  return found
    .filter(({ name }) => !name.includes('/'))
    .map((resource) => ({
      group,
      version,
      resource: resource.name,
      singular: resource.singularName ?? '',
      kind: resource.kind ?? '',
      kindGroup: resource.group || group,
      kindVersion: resource.version || version,
      namespaced: resource.namespaced ?? false,
      verbs: resource.verbs ?? [],
      shortNames: resource.shortNames ?? [],
      categories: resource.categories ?? [],
      subresources: (subresources.get(resource.name) ?? []).map((entry) =>
        subresourceOf(resource.name, entry),
      ),
    }));
}

const subresourceOf = (resource: string, { name, verbs, kind, group, version }: ApiResourceEntry) => ({
  name: name.slice(resource.length + 1),
  verbs: verbs ?? [],
  ...(kind ? { kind } : {}),
  ...(group ? { kindGroup: group } : {}),
  ...(version ? { kindVersion: version } : {}),
});

/** Groups in the order of their resources; the first version of each is the preferred one. */
export function groupListOf(resources: readonly ApiResource[]): ApiGroupList {
  const groups = [...Map.groupBy(resources, ({ group }) => group)].map(([name, members]) => {
    const versions = [...new Set(members.map(({ version }) => version))].map((version) => ({
      groupVersion: name === '' ? version : `${name}/${version}`,
      version,
    }));
    return { name, versions, preferredVersion: versions[0]! };
  });
  return { kind: 'APIGroupList', apiVersion: 'v1', groups };
}

/** The resources of one group and version, each followed by its subresources. */
export const resourceListOf = (groupVersion: string, resources: readonly ApiResource[]): ApiResourceList => ({
  kind: 'APIResourceList',
  apiVersion: 'v1',
  groupVersion,
  resources: resources.flatMap((one) => [
    resourceEntry(one),
    ...one.subresources.map((below) => subresourceEntry(one, below)),
  ]),
});

const resourceEntry = (one: ApiResource): ApiResourceEntry => ({
  name: one.resource,
  singularName: one.singular,
  namespaced: one.namespaced,
  ...(one.kindGroup === one.group ? {} : { group: one.kindGroup }),
  ...(one.kindVersion === one.version ? {} : { version: one.kindVersion }),
  kind: one.kind,
  verbs: one.verbs,
  ...(one.shortNames.length === 0 ? {} : { shortNames: one.shortNames }),
  ...(one.categories.length === 0 ? {} : { categories: one.categories }),
});

const subresourceEntry = (of: ApiResource, below: ApiSubresource): ApiResourceEntry => ({
  name: `${of.resource}/${below.name}`,
  singularName: of.singular,
  namespaced: of.namespaced,
  ...(below.kindGroup === undefined ? {} : { group: below.kindGroup }),
  ...(below.kindVersion === undefined ? {} : { version: below.kindVersion }),
  kind: below.kind ?? '',
  verbs: below.verbs,
});
