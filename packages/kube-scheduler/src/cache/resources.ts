import { parseQuantity, quantityMilliValue, quantityValue } from '@coxswain/apimachinery';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { isResizeInfeasible } from '@coxswain/api/core/v1/pod/pod-totals.ts';

/** Amounts of resources that a node has or a pod requests. */
export interface ResourceAmounts {
  milliCpu: number;
  memoryBytes: number;
  ephemeralStorageBytes: number;
  /** Extended resources, huge pages and attachable volumes, in whole units. */
  scalars: ReadonlyMap<string, number>;
}

/** Replicas have the same requests: consecutive equal amounts share one object. */
export class AmountInterner {
  #last = noResources();

  /** Returns `amounts`, or the previous object if it is equal. */
  once(amounts: ResourceAmounts): ResourceAmounts {
    if (!isSame(amounts, this.#last)) this.#last = amounts;
    return this.#last;
  }
}

/** Amounts with scalars are equal only if they are the same object. */
export const isSame = (a: ResourceAmounts, b: ResourceAmounts): boolean =>
  a.milliCpu === b.milliCpu &&
  a.memoryBytes === b.memoryBytes &&
  a.ephemeralStorageBytes === b.ephemeralStorageBytes &&
  a.scalars === b.scalars;

type ResourceList = Readonly<Record<string, string>> | undefined;

/** The assumed request of a container without one when nodes are scored, so that they still fill evenly. */
export const assumedMilliCpu = 100;
export const assumedMemoryBytes = 200 * 1024 * 1024;

/** Most pods request none: their amounts share one map. */
const noScalars: ReadonlyMap<string, number> = new Map();

export const noResources = (): ResourceAmounts => ({
  milliCpu: 0,
  memoryBytes: 0,
  ephemeralStorageBytes: 0,
  scalars: noScalars,
});

/** Parses an `allocatable`, `requests` or `overhead` map, without `pods`. */
export function readResources(list: ResourceList): ResourceAmounts {
  const amounts = noResources();
  for (const name in list) setResource(amounts, name, amountOf(name, list[name]!));
  return amounts;
}

/** The maximum number of pods of a node. */
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
 * Returns a pod's peak requests: containers and sidecars together, or one init container with the sidecars started
 * before it; pod-level requests replace these; overhead is added. A container that is being resized counts with the
 * larger of what it requests and what it still has (KEP-1287).
 *
 * @param missing the assumed requests of containers without any
 */
export function podRequests(pod: Pod, missing?: { milliCpu: number; memoryBytes: number }): ResourceAmounts {
  const running = noResources();
  const sidecars = noResources();
  const peak = noResources();
  const spec = pod.spec!;
  const ofContainers = finderOf(pod.status?.containerStatuses);
  const ofSidecars = finderOf(pod.status?.initContainerStatuses);
  for (const container of spec.containers)
    addResources(running, containerRequests(container, ofContainers, pod, missing));
  for (const container of spec.initContainers ?? []) {
    const statusOf = container.restartPolicy === 'Always' ? ofSidecars : noStatus;
    const requests = containerRequests(container, statusOf, pod, missing);
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
  if (forPod !== undefined) {
    const effective = heldRequests(forPod, pod.status?.resources && pod.status, pod);
    for (const name in forPod)
      if (isPodLevel(name)) setResource(running, name, resourceAmount(effective, name));
  }
  if (spec.overhead !== undefined) addResources(running, readResources(spec.overhead));
  return running;
}

/** Returns what a pod requests, without what it still has. */
export const requestsOfSpec = ({ metadata, spec }: Pod): ResourceAmounts =>
  podRequests({ metadata, spec } as Pod);

/** Returns a pod's limits, computed like {@link requestsOfSpec}. */
export function podLimits(pod: Pod): ResourceAmounts {
  const asked = <T extends { readonly resources?: unknown }>(one: T): T => {
    const { limits } = (one.resources ?? {}) as { readonly limits?: unknown };
    return { ...one, resources: { requests: limits } };
  };
  const { overhead, ...spec } = asked(pod.spec!);
  const containers = spec.containers.map(asked);
  const initContainers = (spec.initContainers ?? []).map(asked);
  const limits = requestsOfSpec({ ...pod, spec: { ...spec, containers, initContainers } } as Pod);
  // Overhead does not create a limit where there is none.
  const more = readResources(overhead);
  if (limits.milliCpu > 0) limits.milliCpu += more.milliCpu;
  if (limits.memoryBytes > 0) limits.memoryBytes += more.memoryBytes;
  return limits;
}

type Container = NonNullable<Pod['spec']>['containers'][number];
type ContainerStatus = NonNullable<NonNullable<Pod['status']>['containerStatuses']>[number];
type FindStatus = (name: string) => ContainerStatus | undefined;

/** For up to this many statuses, searching them costs less than a map. */
const searchedMax = 16;

function finderOf(statuses: readonly ContainerStatus[] | undefined): FindStatus {
  if (statuses === undefined || statuses.length <= searchedMax)
    return (name) => statuses?.find((status) => status.name === name);
  const byName = new Map(statuses.map((status) => [status.name, status]));
  return (name) => byName.get(name);
}

const noStatus: FindStatus = () => undefined;

/** What a node has given to a container or a pod. */
interface Given {
  readonly resources?: { readonly requests?: ResourceList } | undefined;
  readonly allocatedResources?: ResourceList;
}

function containerRequests(
  { name, resources }: Container,
  statusOf: FindStatus,
  pod: Pod,
  missing: { milliCpu: number; memoryBytes: number } | undefined,
): ResourceAmounts {
  const list = resources?.requests;
  const status = statusOf(name);
  const amounts = heldRequests(list, status?.resources && status, pod);
  if (missing !== undefined) {
    if (list?.['cpu'] === undefined) amounts.milliCpu ||= missing.milliCpu;
    if (list?.['memory'] === undefined) amounts.memoryBytes ||= missing.memoryBytes;
  }
  return amounts;
}

/** Requests that no node can fulfil do not count. @param given undefined until the kubelet reports it */
function heldRequests(asked: ResourceList, given: Given | undefined, pod: Pod): ResourceAmounts {
  const amounts = given !== undefined && isResizeInfeasible(pod) ? noResources() : readResources(asked);
  const { requests } = given?.resources ?? {};
  for (const held of [requests, given?.allocatedResources])
    if (held !== undefined && held !== asked) raise(amounts, readResources(held));
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
