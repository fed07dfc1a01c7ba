/** The pods that belong to an object: those that a workload or a Service selects. */

import { labelSelectorFromSpec, type KubeObject, type LabelSelectorSpec } from '@coxswain/apimachinery';
import type { ApiResource } from '@coxswain/client';

const selecting: ReadonlySet<string> = new Set([
  '/services',
  '/replicationcontrollers',
  'apps/deployments',
  'apps/statefulsets',
  'apps/daemonsets',
  'apps/replicasets',
  'batch/jobs',
]);

type Kind = Pick<ApiResource, 'group' | 'resource'>;

export const isPod = ({ group, resource }: Kind): boolean => group === '' && resource === 'pods';

export const isService = ({ group, resource }: Kind): boolean => group === '' && resource === 'services';

export const isNetworkPolicy = ({ group, resource }: Kind): boolean =>
  group === 'networking.k8s.io' && resource === 'networkpolicies';

export const havePods = ({ group, resource }: Kind): boolean => selecting.has(`${group}/${resource}`);

/** `app=web,tier in (a,b)`; undefined for objects without pods. */
export function podSelectorOf(kind: Kind, object: KubeObject): string | undefined {
  const { selector } = (object as { readonly spec?: { readonly selector?: LabelSelectorSpec } }).spec ?? {};
  if (!havePods(kind) || selector === undefined) return undefined;
  // A Service without labels in its selector selects nothing.
  if (isService(kind) && Object.keys(selector).length === 0) return undefined;
  // The selector of a Service or a ReplicationController is a plain map of labels.
  const isSpec = 'matchLabels' in selector || 'matchExpressions' in selector;
  const spec = isSpec ? selector : { matchLabels: selector as Readonly<Record<string, string>> };
  return labelSelectorFromSpec(spec).toString();
}
