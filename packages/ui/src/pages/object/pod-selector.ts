/** The pods of an object: those that a workload or a Service selects, a policy is about, or a node runs. */

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

/** What the server is asked for these pods. */
export interface PodQuery {
  /** Undefined for all namespaces. */
  readonly namespace: string | undefined;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
}

/** The pods that the page of an object lists; more kinds have some there than have logs of their own. */
export function podQueryOf(kind: Kind, object: KubeObject): PodQuery | undefined {
  const { namespace, name } = object.metadata;
  if (kind.group === '' && kind.resource === 'nodes')
    return { namespace: undefined, fieldSelector: `spec.nodeName=${name}` };
  const selector = policySelectorOf(kind, object);
  const labelSelector =
    selector === undefined ? podSelectorOf(kind, object) : labelSelectorFromSpec(selector).toString();
  return labelSelector === undefined ? undefined : { namespace, labelSelector };
}

/** An empty selector of a policy stands for every pod of its namespace, and a budget without one has none. */
function policySelectorOf(kind: Kind, object: KubeObject): LabelSelectorSpec | undefined {
  const { spec } = object as {
    readonly spec?: { readonly selector?: LabelSelectorSpec; readonly podSelector?: LabelSelectorSpec };
  };
  if (isNetworkPolicy(kind)) return spec?.podSelector ?? {};
  return kind.group === 'policy' && kind.resource === 'poddisruptionbudgets' ? spec?.selector : undefined;
}
