/** Group, version and kind, with the textual forms and the order of kustomize. */
import { clusterScopedKinds } from './cluster-scoped-kinds.ts';

export interface Gvk {
  readonly group?: string;
  readonly version?: string;
  readonly kind?: string;
}

export function parseApiVersion(apiVersion: string): { group: string; version: string } {
  const slash = apiVersion.indexOf('/');
  if (slash < 0) return { group: '', version: apiVersion };
  return { group: apiVersion.slice(0, slash), version: apiVersion.slice(slash + 1) };
}

export const apiVersionOf = ({ group = '', version = '' }: Gvk): string =>
  group === '' ? version : `${group}/${version}`;

/** `Deployment.v1.apps` */
export const gvkText = ({ group = '', version = '', kind = '' }: Gvk): string =>
  [kind || '[noKind]', version || '[noVer]', group || '[noGrp]'].join('.');

export const sameGvk = (a: Gvk, b: Gvk): boolean =>
  (a.group ?? '') === (b.group ?? '') &&
  (a.version ?? '') === (b.version ?? '') &&
  (a.kind ?? '') === (b.kind ?? '');

/** Unset parts of the selector match everything. */
export const isSelectedBy = (gvk: Gvk, selector: Gvk): boolean =>
  ((selector.group ?? '') === '' || selector.group === gvk.group) &&
  ((selector.version ?? '') === '' || selector.version === gvk.version) &&
  ((selector.kind ?? '') === '' || selector.kind === gvk.kind);

/** Unknown kinds count as namespaced. */
export const isClusterScoped = (gvk: Gvk): boolean =>
  clusterScopedKinds.has(`${apiVersionOf(gvk)}/${gvk.kind ?? ''}`);

export const firstKinds: readonly string[] = [
  'Namespace',
  'ResourceQuota',
  'StorageClass',
  'CustomResourceDefinition',
  'ServiceAccount',
  'PodSecurityPolicy',
  'Role',
  'ClusterRole',
  'RoleBinding',
  'ClusterRoleBinding',
  'ConfigMap',
  'Secret',
  'Endpoints',
  'Service',
  'LimitRange',
  'PriorityClass',
  'PersistentVolume',
  'PersistentVolumeClaim',
  'Deployment',
  'StatefulSet',
  'CronJob',
  'PodDisruptionBudget',
];

export const lastKinds: readonly string[] = [
  'MutatingWebhookConfiguration',
  'ValidatingWebhookConfiguration',
];

/** Kinds to their position: negative ones come first, positive ones last. */
export const kindOrder = (first: readonly string[], last: readonly string[]): ReadonlyMap<string, number> =>
  new Map([
    ...first.map((kind, index): [string, number] => [kind, index - first.length]),
    ...last.map((kind, index): [string, number] => [kind, index + 1]),
  ]);

/** `apps_v1_Deployment`; missing parts sort last. */
export const sortText = ({ group = '', version = '', kind = '' }: Gvk): string =>
  [group || '~G', version || '~V', kind || '~K'].join('_');

const usualOrder = kindOrder(firstKinds, lastKinds);

export function compareGvk(a: Gvk, b: Gvk): number {
  const difference = (usualOrder.get(a.kind ?? '') ?? 0) - (usualOrder.get(b.kind ?? '') ?? 0);
  if (difference !== 0) return difference;
  return compareText(sortText(a), sortText(b));
}

export const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
