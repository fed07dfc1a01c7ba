/** How much a pod's resources are worth to it: what its limits and requests say together. */

import { addQuantities, compareQuantities, parseQuantity, zeroQuantity } from '@coxswain/apimachinery';
import type { Quantity } from '@coxswain/apimachinery';
import type { PodSpec } from './pod-spec.ts';

export type QosClass = 'BestEffort' | 'Burstable' | 'Guaranteed';

const counted = ['cpu', 'memory'] as const;

type Amounts = Readonly<Record<string, string>> | undefined;

export function qosClassOf(spec: PodSpec): QosClass {
  const requests = new Map<string, Quantity>();
  const limits = new Map<string, Quantity>();
  const ofPod = spec.resources;
  const hasOwn = Object.keys({ ...ofPod?.requests, ...ofPod?.limits }).length > 0;
  const all = hasOwn
    ? [ofPod]
    : [...(spec.containers ?? []), ...(spec.initContainers ?? [])].map(({ resources }) => resources);
  let isGuaranteed = true;
  for (const resources of all) {
    addTo(requests, resources?.requests);
    const found = addTo(limits, resources?.limits);
    if (found < counted.length) isGuaranteed = false;
  }
  if (requests.size === 0 && limits.size === 0) return 'BestEffort';
  const isMatched = [...requests].every(([name, amount]) => {
    const limit = limits.get(name);
    return limit !== undefined && compareQuantities(limit, amount) === 0;
  });
  return isGuaranteed && isMatched && requests.size === limits.size ? 'Guaranteed' : 'Burstable';
}

/** Tells how many of the resources that count are there. */
function addTo(sums: Map<string, Quantity>, amounts: Amounts): number {
  let found = 0;
  for (const name of counted) {
    const text = amounts?.[name];
    if (text === undefined) continue;
    const amount = parseQuantity(text);
    if (compareQuantities(amount, zeroQuantity) <= 0) continue;
    found++;
    const sum = sums.get(name);
    sums.set(name, sum === undefined ? amount : addQuantities(sum, amount));
  }
  return found;
}
