/** The resources of a whole pod, by the rules for init containers and sidecars. */
import { addQuantities, compareQuantities, parseQuantity } from '@coxswain/apimachinery';
import type { Quantity } from '@coxswain/schema/scalars/quantity.ts';
import type { Pod } from '../pod.ts';

export type Amounts = Readonly<Record<string, string>>;
export type Totals = Map<string, Quantity>;

type Which = 'requests' | 'limits';

/**
 * The sum of the containers and sidecars, or the maximum that an init container needs together with the sidecars
 * started before it, whichever is larger. Pod-level resources replace it; overhead is added.
 */
export function podTotals({ spec }: Pod, which: Which, options: { readonly withOverhead: boolean }): Totals {
  const totals: Totals = new Map();
  for (const { resources } of spec.containers ?? []) add(totals, resources?.[which]);
  const sidecars: Totals = new Map();
  const peak: Totals = new Map();
  for (const { resources, restartPolicy } of spec.initContainers ?? []) {
    const current: Totals = new Map(sidecars);
    add(current, resources?.[which]);
    if (restartPolicy === 'Always') {
      add(totals, resources?.[which]);
      add(sidecars, resources?.[which]);
    }
    raise(peak, current);
  }
  raise(totals, peak);
  for (const [name, amount] of Object.entries(spec.resources?.[which] ?? {})) {
    if (isPodLevelResource(name)) totals.set(name, parseQuantity(amount));
  }
  if (options.withOverhead) {
    for (const [name, amount] of Object.entries(spec.overhead ?? {})) {
      if (which === 'requests' || totals.has(name)) add(totals, { [name]: amount });
    }
  }
  return totals;
}

export const totalsOf = (amounts: Amounts | undefined): Totals => {
  const totals: Totals = new Map();
  add(totals, amounts);
  return totals;
};

function add(totals: Totals, amounts: Amounts | undefined): void {
  for (const [name, amount] of Object.entries(amounts ?? {})) {
    const quantity = parseQuantity(amount);
    const before = totals.get(name);
    totals.set(name, before === undefined ? quantity : addQuantities(before, quantity));
  }
}

function raise(totals: Totals, others: Totals): void {
  for (const [name, quantity] of others) {
    const before = totals.get(name);
    if (before === undefined || compareQuantities(quantity, before) > 0) totals.set(name, quantity);
  }
}

const isPodLevelResource = (name: string): boolean =>
  name === 'cpu' || name === 'memory' || name.startsWith('hugepages-');
