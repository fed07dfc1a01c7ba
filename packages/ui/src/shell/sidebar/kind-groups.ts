/** The kinds of the navigation, in a familiar order. */

import type { ApiResource } from '@coxswain/client';
import { isBuiltIn, listedKinds } from '../../cluster/kinds.ts';
import type { IconName } from '../../design/icon.tsx';

interface KindGroup {
  readonly id: 'workloads' | 'network' | 'configuration' | 'storage' | 'access' | 'cluster' | 'other';
  readonly icon: IconName;
  readonly kinds: readonly ApiResource[];
}

/** As `resource.group`. Kinds that the server does not serve are omitted. */
const arranged: readonly (readonly [KindGroup['id'], IconName, readonly string[]])[] = [
  [
    'workloads',
    'workload',
    [
      'pods.',
      'deployments.apps',
      'statefulsets.apps',
      'daemonsets.apps',
      'replicasets.apps',
      'jobs.batch',
      'cronjobs.batch',
      'horizontalpodautoscalers.autoscaling',
    ],
  ],
  [
    'network',
    'network',
    [
      'services.',
      'ingresses.networking.k8s.io',
      'endpointslices.discovery.k8s.io',
      'networkpolicies.networking.k8s.io',
    ],
  ],
  ['configuration', 'config', ['configmaps.', 'secrets.', 'resourcequotas.', 'limitranges.']],
  ['storage', 'storage', ['persistentvolumeclaims.', 'persistentvolumes.', 'storageclasses.storage.k8s.io']],
  [
    'access',
    'access',
    [
      'serviceaccounts.',
      'roles.rbac.authorization.k8s.io',
      'rolebindings.rbac.authorization.k8s.io',
      'clusterroles.rbac.authorization.k8s.io',
      'clusterrolebindings.rbac.authorization.k8s.io',
    ],
  ],
  [
    'cluster',
    'cluster',
    ['nodes.', 'namespaces.', 'events.', 'customresourcedefinitions.apiextensions.k8s.io'],
  ],
];

/** Kinds not listed above, including custom ones, form the last group. */
export function kindGroups(): readonly KindGroup[] {
  const known = new Map(listedKinds.value.map((kind) => [`${kind.resource}.${kind.group}`, kind]));
  const groups = arranged.map(([id, icon, names]) => ({
    id,
    icon,
    kinds: names.flatMap((name) => known.get(name) ?? []),
  }));
  const placed = new Set(groups.flatMap(({ kinds }) => kinds));
  const rest = listedKinds.value.filter(
    (kind) => !placed.has(kind) && !(kind.group === 'events.k8s.io' && kind.resource === 'events'),
  );
  return [...groups, { id: 'other' as const, icon: 'custom' as const, kinds: rest.toSorted(byGroup) }].filter(
    ({ kinds }) => kinds.length > 0,
  );
}

/** Kinds from outside Kubernetes come first, recognized by their group. */
const byGroup = (one: ApiResource, other: ApiResource): number =>
  Number(isBuiltIn(one)) - Number(isBuiltIn(other)) ||
  one.group.localeCompare(other.group) ||
  one.kind.localeCompare(other.kind);
