/** Maps a quota's resource names to the kinds of objects that they count. */

import type { GroupResource } from '@coxswain/apimachinery';

const core = (resource: string): GroupResource => ({ group: '', resource });

const byName: ReadonlyMap<string, GroupResource> = new Map(
  [
    ['services', 'services.nodeports', 'services.loadbalancers'].map(
      (name) => [name, core('services')] as const,
    ),
    ['persistentvolumeclaims', 'requests.storage'].map(
      (name) => [name, core('persistentvolumeclaims')] as const,
    ),
    ['configmaps', 'secrets', 'replicationcontrollers', 'resourcequotas'].map(
      (name) => [name, core(name)] as const,
    ),
    [
      'pods',
      'cpu',
      'memory',
      'ephemeral-storage',
      'limits.cpu',
      'limits.memory',
      'limits.ephemeral-storage',
    ].map((name) => [name, core('pods')] as const),
  ].flat(),
);

export const deviceClaims: GroupResource = { group: 'resource.k8s.io', resource: 'resourceclaims' };

/** Undefined for an unknown name. */
export function countedResource(name: string): GroupResource | undefined {
  const known = byName.get(name);
  if (known !== undefined) return known;
  const counted = /^count\/([^.]+)(?:\.(.+))?$/.exec(name);
  if (counted !== null) return { group: counted[2] ?? '', resource: counted[1]! };
  if (name.includes('.storageclass.storage.k8s.io/')) return core('persistentvolumeclaims');
  if (name.endsWith('.deviceclass.resource.k8s.io/devices')) return deviceClaims;
  // Huge pages and extended resources.
  return name.startsWith('requests.') || name.startsWith('hugepages-') ? core('pods') : undefined;
}
