/**
 * The usage of simulated containers: a pod's annotation declares it for all of its containers, or for one by name. (The
 * table is in packages/simulated-nodes/src/behaviour/annotation-table.ts.)
 *
 * kwok's annotations `kwok.x-k8s.io/usage-cpu` and `kwok.x-k8s.io/usage-memory` declare it for each container, too, and
 * so do its objects, and the arguments of the program `stress`. Without any of these, usage is a tenth of what the container requests, and CPU for the requests that
 * it serves (`request-load.ts`).
 */
import {
  addQuantities,
  formatQuantity,
  milliQuantityOf,
  parseQuantity,
  quantityMilliValue,
  zeroQuantity,
} from '@coxswain/apimachinery/quantity.ts';
import type { Node } from '@coxswain/api/core/v1/node.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import {
  declaredUsage,
  stressUsage,
  usageIn,
  type Usage,
} from '@coxswain/simulated-nodes/behaviour/declared-usage.ts';

export type { Usage };

/** The usage of one container by resource; undefined if none is declared. */
export type SaidUsage = (node: Node | undefined, pod: Pod, container: string) => Usage | undefined;

const kwokPrefix = 'kwok.x-k8s.io/usage';
const resources = ['cpu', 'memory'] as const;
const requestShare = 0.1;
/** A running container always uses something. */
const least: Usage = { cpu: '1m', memory: '1Mi' };

type Container = NonNullable<NonNullable<Pod['spec']>['containers']>[number];

export const isMeasured = ({ status, metadata }: Pod): boolean =>
  status?.phase === 'Running' && metadata?.deletionTimestamp === undefined;

/** `250m` → 0.25. @throws Error for an invalid quantity */
export const amountOf = (text: string): number => quantityMilliValue(parseQuantity(text)) / 1000;

function containerUsage(pod: Pod, container: Container, saidElsewhere: Usage = {}): Usage {
  const annotations = pod.metadata?.annotations ?? {};
  const said: Usage = {
    ...stressUsage(container),
    ...usageIn(
      resources.map((resource) => `${resource}=${annotations[`${kwokPrefix}-${resource}`] ?? ''}`).join(','),
    ),
    ...saidElsewhere,
    ...declaredUsage(pod, container),
  };
  return Object.fromEntries(
    resources.map((resource) => [resource, said[resource] ?? shareOfRequest(container, resource)]),
  );
}

export function shareOfRequest({ resources: of }: Container, resource: 'cpu' | 'memory'): string {
  const request = of?.requests?.[resource];
  if (request === undefined) return least[resource]!;
  const milli = Math.ceil(quantityMilliValue(parseQuantity(request)) * requestShare);
  if (resource === 'cpu') return formatQuantity(milliQuantityOf(milli));
  // Bytes are integers.
  return formatQuantity(milliQuantityOf(Math.ceil(milli / 1000) * 1000, 'BinarySI'));
}

/** @param said the usage of a container by name, declared outside the pod */
export const podUsage = (
  pod: Pod,
  said: (container: string) => Usage | undefined = () => undefined,
): readonly { readonly name: string; readonly usage: Usage }[] =>
  (pod.spec?.containers ?? []).map((container) => ({
    name: container.name,
    usage: containerUsage(pod, container, said(container.name)),
  }));

export function totalUsage(usages: Iterable<Usage>): Usage {
  const totals = { cpu: zeroQuantity, memory: parseQuantity('0Ki') };
  for (const usage of usages) {
    for (const resource of resources) {
      totals[resource] = addQuantities(totals[resource], parseQuantity(usage[resource] ?? '0'));
    }
  }
  return { cpu: formatQuantity(totals.cpu), memory: formatQuantity(totals.memory) };
}
