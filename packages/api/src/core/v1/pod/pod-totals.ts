/** The resources of a whole pod, by the rules for init containers and sidecars. */
import { addQuantities, compareQuantities, parseQuantity } from '@coxswain/apimachinery';
import type { Quantity } from '@coxswain/schema/scalars/quantity.ts';
import type { Container } from '../container.ts';
import type { Pod } from '../pod.ts';

export type Amounts = Readonly<Record<string, string>>;
export type Totals = Map<string, Quantity>;

type Which = 'requests' | 'limits';

interface TotalsOptions {
  readonly withOverhead: boolean;
  /** Whether a container that is being resized counts with the larger of what it has and what it asks for. */
  readonly withActual?: boolean;
}

/**
 * The sum of the containers and sidecars, or the maximum that an init container needs together with the sidecars
 * started before it, whichever is larger. Pod-level resources replace it; overhead is added.
 */
export function podTotals(pod: Pod, which: Which, options: TotalsOptions): Totals {
  const { spec } = pod;
  const amounts = (container: Container): Totals =>
    (options.withActual ? actual(pod, container, which) : undefined) ??
    totalsOf(container.resources?.[which]);
  const totals: Totals = new Map();
  for (const container of spec.containers ?? []) addAll(totals, amounts(container));
  const sidecars: Totals = new Map();
  const peak: Totals = new Map();
  for (const container of spec.initContainers ?? []) {
    const current: Totals = new Map(sidecars);
    if (container.restartPolicy === 'Always') {
      const own = amounts(container);
      addAll(totals, own);
      addAll(sidecars, own);
      addAll(current, own);
    } else addAll(current, totalsOf(container.resources?.[which]));
    raise(peak, current);
  }
  raise(totals, peak);
  for (const [name, amount] of Object.entries(spec.resources?.[which] ?? {})) {
    if (isPodLevelResource(name)) totals.set(name, parseQuantity(amount));
  }
  if (options.withOverhead) {
    for (const [name, amount] of Object.entries(spec.overhead ?? {})) {
      if (which === 'requests' || totals.has(name)) addAll(totals, totalsOf({ [name]: amount }));
    }
  }
  return totals;
}

export const totalsOf = (amounts: Amounts | undefined): Totals =>
  new Map(Object.entries(amounts ?? {}).map(([name, amount]) => [name, parseQuantity(amount)]));

/** Whether no node can ever grant the resize that is asked for (KEP-1287). */
export const isResizeInfeasible = ({ status }: Pick<Pod, 'status'>): boolean =>
  status?.conditions?.find(({ type }) => type === 'PodResizePending')?.reason === 'Infeasible';

/** Undefined if the kubelet has not reported it. What cannot be granted does not count. */
function actual(pod: Pod, { name, resources }: Container, which: Which): Totals | undefined {
  const { status } = pod;
  const all = [...(status?.containerStatuses ?? []), ...(status?.initContainerStatuses ?? [])];
  const found = all.find((one) => one.name === name);
  if (found?.resources === undefined) return undefined;
  const totals = totalsOf(found.resources[which]);
  if (which === 'requests') raise(totals, totalsOf(found.allocatedResources));
  if (!isResizeInfeasible(pod)) raise(totals, totalsOf(resources?.[which]));
  return totals;
}

function addAll(totals: Totals, others: Totals): void {
  for (const [name, quantity] of others) {
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
