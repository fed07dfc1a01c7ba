/** One file per resource, as written by `--output DIR`. */
import type { Resource } from './resources/resource.ts';
import type { ResourceMap } from './resources/resource-map.ts';
import { isClusterScoped } from './resources/gvk.ts';

/** File names and contents. The namespace is part of the name if there are several namespaces. */
export function individualFiles(map: ResourceMap): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  const groups = map.groupedByNamespace((resource) => resource.id);
  for (const [namespace, resources] of groups) {
    const prefix = groups.size > 1 ? `${namespace.toLowerCase()}_` : '';
    for (const resource of resources) files.set(prefix + fileName(resource), resource.toYaml());
  }
  for (const resource of map.resources) {
    if (isClusterScoped(resource.gvk)) files.set(fileName(resource), resource.toYaml());
  }
  return files;
}

function fileName({ gvk, name }: Resource): string {
  const parts = [gvk.group, gvk.version, gvk.kind].filter((part) => part !== '');
  return `${parts.join('_').toLowerCase()}_${name.toLowerCase()}.yaml`;
}
