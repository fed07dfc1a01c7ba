import { parseQuantity, quantityMilliValue, quantityValue } from '@coxswain/apimachinery';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';

/** Amounts of what a node has and a pod asks for. */
export interface ResourceAmounts {
  milliCpu: number;
  memoryBytes: number;
  ephemeralStorageBytes: number;
  /** Extended resources, huge pages and attachable volumes, in whole units. */
  scalars: ReadonlyMap<string, number>;
}

/** Replicas ask for the same: amounts that equal those before them are kept once. */
export class AmountInterner {
  #last = noResources();

  /** `amounts`, or the same in the object that was here before. */
  once(amounts: ResourceAmounts): ResourceAmounts {
    if (!isSame(amounts, this.#last)) this.#last = amounts;
    return this.#last;
  }
}

/** Of those with scalars, only one and the same. */
const isSame = (a: ResourceAmounts, b: ResourceAmounts): boolean =>
  a.milliCpu === b.milliCpu &&
  a.memoryBytes === b.memoryBytes &&
  a.ephemeralStorageBytes === b.ephemeralStorageBytes &&
  a.scalars === b.scalars;

type ResourceList = Readonly<Record<string, string>> | undefined;

/** What a container without requests counts as when nodes are compared, so that they still fill evenly. */
export const assumedMilliCpu = 100;
export const assumedMemoryBytes = 200 * 1024 * 1024;

/** Most pods ask for none of them: their amounts share one map. */
const noScalars: ReadonlyMap<string, number> = new Map();

export const noResources = (): ResourceAmounts => ({
  milliCpu: 0,
  memoryBytes: 0,
  ephemeralStorageBytes: 0,
  scalars: noScalars,
});

/** The amounts of an `allocatable`, `requests` or `overhead` map; `pods` is not among them. */
export function readResources(list: ResourceList): ResourceAmounts {
  const amounts = noResources();
  for (const name in list) setResource(amounts, name, amountOf(name, list[name]!));
  return amounts;
}

/** How many pods a node takes. */
export const podCapacityOf = (allocatable: ResourceList): number =>
  amountOf('pods', allocatable?.['pods'] ?? '0');

export function resourceAmount(amounts: ResourceAmounts, name: string): number {
  if (name === 'cpu') return amounts.milliCpu;
  if (name === 'memory') return amounts.memoryBytes;
  if (name === 'ephemeral-storage') return amounts.ephemeralStorageBytes;
  return amounts.scalars.get(name) ?? 0;
}

export const isScalarResource = (name: string): boolean =>
  name !== 'cpu' && name !== 'memory' && name !== 'ephemeral-storage';

export const asksForNothing = (amounts: ResourceAmounts): boolean =>
  amounts.milliCpu === 0 &&
  amounts.memoryBytes === 0 &&
  amounts.ephemeralStorageBytes === 0 &&
  amounts.scalars.size === 0;

export function addResources(into: ResourceAmounts, more: ResourceAmounts, sign: 1 | -1 = 1): void {
  into.milliCpu += sign * more.milliCpu;
  into.memoryBytes += sign * more.memoryBytes;
  into.ephemeralStorageBytes += sign * more.ephemeralStorageBytes;
  for (const [name, amount] of more.scalars)
    setScalar(into, name, (into.scalars.get(name) ?? 0) + sign * amount);
}

/**
 * What a pod needs at the time when it needs most: containers and sidecars together, or one init container
 * beside the sidecars started before it; amounts given for the pod as a whole replace that; overhead comes on top.
 * `missing` is what containers without a request count as.
 */
export function podRequests(pod: Pod, missing?: { milliCpu: number; memoryBytes: number }): ResourceAmounts {
  const running = noResources();
  const sidecars = noResources();
  const peak = noResources();
  const spec = pod.spec!;
  for (const container of spec.containers) addResources(running, containerRequests(container, missing));
  for (const container of spec.initContainers ?? []) {
    const requests = containerRequests(container, missing);
    if (container.restartPolicy === 'Always') {
      addResources(running, requests);
      addResources(sidecars, requests);
      raise(peak, sidecars);
    } else {
      addResources(requests, sidecars);
      raise(peak, requests);
    }
  }
  raise(running, peak);
  const forPod = spec.resources?.requests;
  for (const name in forPod) if (isPodLevel(name)) setResource(running, name, amountOf(name, forPod[name]!));
  if (spec.overhead !== undefined) addResources(running, readResources(spec.overhead));
  return running;
}

/** What a pod may take: as {@link podRequests}, of limits. */
export function podLimits(pod: Pod): ResourceAmounts {
  const asked = <T extends { readonly resources?: unknown }>(one: T): T => {
    const { limits } = (one.resources ?? {}) as { readonly limits?: unknown };
    return { ...one, resources: { requests: limits } };
  };
  const { overhead, ...spec } = asked(pod.spec!);
  const containers = spec.containers.map(asked);
  const initContainers = (spec.initContainers ?? []).map(asked);
  const limits = podRequests({ ...pod, spec: { ...spec, containers, initContainers } } as Pod);
  // What has no limit has none with its overhead, either.
  const more = readResources(overhead);
  if (limits.milliCpu > 0) limits.milliCpu += more.milliCpu;
  if (limits.memoryBytes > 0) limits.memoryBytes += more.memoryBytes;
  return limits;
}

interface WithRequests {
  readonly resources?: { readonly requests?: Readonly<Record<string, string>> };
}

function containerRequests(
  container: WithRequests,
  missing?: { milliCpu: number; memoryBytes: number },
): ResourceAmounts {
  const list = container.resources?.requests;
  const amounts = readResources(list);
  if (missing !== undefined) {
    if (list?.['cpu'] === undefined) amounts.milliCpu = missing.milliCpu;
    if (list?.['memory'] === undefined) amounts.memoryBytes = missing.memoryBytes;
  }
  return amounts;
}

const isPodLevel = (name: string): boolean =>
  name === 'cpu' || name === 'memory' || name.startsWith('hugepages-');

function setResource(amounts: ResourceAmounts, name: string, amount: number): void {
  if (name === 'cpu') amounts.milliCpu = amount;
  else if (name === 'memory') amounts.memoryBytes = amount;
  else if (name === 'ephemeral-storage') amounts.ephemeralStorageBytes = amount;
  else if (name !== 'pods') setScalar(amounts, name, amount);
}

function setScalar(amounts: ResourceAmounts, name: string, amount: number): void {
  if (amounts.scalars === noScalars) amounts.scalars = new Map();
  (amounts.scalars as Map<string, number>).set(name, amount);
}

function raise(into: ResourceAmounts, other: ResourceAmounts): void {
  into.milliCpu = Math.max(into.milliCpu, other.milliCpu);
  into.memoryBytes = Math.max(into.memoryBytes, other.memoryBytes);
  into.ephemeralStorageBytes = Math.max(into.ephemeralStorageBytes, other.ephemeralStorageBytes);
  for (const [name, amount] of other.scalars)
    setScalar(into, name, Math.max(into.scalars.get(name) ?? 0, amount));
}

function amountOf(name: string, text: string): number {
  const quantity = parseQuantity(text);
  return name === 'cpu' ? quantityMilliValue(quantity) : quantityValue(quantity);
}
