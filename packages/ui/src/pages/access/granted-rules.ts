/** What rules grant, resource by resource. */

import type { PolicyRule } from '@coxswain/apiserver/authorization/rbac/objects.ts';

export interface GrantedResource {
  /** `pods`, `deployments.apps/scale`, `*` */
  readonly resource: string;
  /** Empty for all objects. */
  readonly names: readonly string[];
  readonly verbs: ReadonlySet<string>;
}

/** Rules for the same resource and names are one row; rows for all objects come before those for named ones. */
export function grantedResources(rules: readonly PolicyRule[]): readonly GrantedResource[] {
  const rows = new Map<string, { resource: string; names: readonly string[]; verbs: Set<string> }>();
  for (const { apiGroups, resources, resourceNames, verbs } of rules)
    for (const group of apiGroups ?? [])
      for (const name of resources ?? []) {
        const resource = nameOf(name, group);
        const names = resourceNames ?? [];
        const key = JSON.stringify([resource, names]);
        const row = rows.get(key) ?? { resource, names, verbs: new Set() };
        for (const verb of verbs ?? []) row.verbs.add(verb);
        rows.set(key, row);
      }
  return [...rows.values()].toSorted(
    (one, other) =>
      Number(one.names.length > 0) - Number(other.names.length > 0) ||
      one.resource.localeCompare(other.resource),
  );
}

/** `pods/log` of the core group; `deployments.apps/scale` */
function nameOf(resource: string, group: string): string {
  const [type, ...sub] = resource.split('/');
  return [group === '' ? type : `${type}.${group}`, ...sub].join('/');
}
