/** The quality of service class, which follows from a pod's requests and limits and matters when memory runs short. */
import { addQuantities, compareQuantities, parseQuantity, zeroQuantity } from '@coxswain/apimachinery';
import type { Quantity } from '@coxswain/schema/scalars/quantity.ts';
import type { PodSpec } from '../pod-spec.ts';

export type QosClass = 'Guaranteed' | 'Burstable' | 'BestEffort';

const countedResources: readonly string[] = ['cpu', 'memory'];

interface Resources {
  readonly requests?: Readonly<Record<string, string>>;
  readonly limits?: Readonly<Record<string, string>>;
}

/** The class that a pod states, or else the one that it has. */
export const statedQosClass = (pod: {
  readonly spec: PodSpec;
  readonly status?: { readonly qosClass?: QosClass | undefined } | undefined;
}): QosClass => pod.status?.qosClass || qosClassOf(pod);

/** Pod-level resources replace those of containers if present, even if empty. */
export function qosClassOf({ spec }: { readonly spec: PodSpec }): QosClass {
  const containers = [...(spec.initContainers ?? []), ...(spec.containers ?? [])];
  const whole = spec.resources;
  const all: Resources[] = whole == null ? containers.map(({ resources }) => resources ?? {}) : [whole];
  const requests = totals(all.map((one) => one.requests));
  const limits = totals(all.map((one) => one.limits));
  if (requests.size === 0 && limits.size === 0) return 'BestEffort';
  const allLimited = all.every((one) => totals([one.limits]).size === countedResources.length);
  return allLimited && requests.size === limits.size && sameTotals(requests, limits)
    ? 'Guaranteed'
    : 'Burstable';
}

/** The sums of positive amounts of the relevant resources. */
function totals(all: readonly (Readonly<Record<string, string>> | undefined)[]): Map<string, Quantity> {
  const sums = new Map<string, Quantity>();
  for (const amounts of all) {
    for (const name of countedResources) {
      const amount = amounts?.[name];
      if (amount === undefined) continue;
      const quantity = parseQuantity(amount);
      if (compareQuantities(quantity, zeroQuantity) <= 0) continue;
      const before = sums.get(name);
      sums.set(name, before === undefined ? quantity : addQuantities(before, quantity));
    }
  }
  return sums;
}

const sameTotals = (a: ReadonlyMap<string, Quantity>, b: ReadonlyMap<string, Quantity>): boolean =>
  [...a].every(([name, quantity]) => b.has(name) && compareQuantities(quantity, b.get(name)!) === 0);
