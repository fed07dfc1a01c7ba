import type { Node } from '@coxswain/api/core/v1/node.ts';
import type { NodeSelector } from '@coxswain/api/core/v1/node-selector.ts';
import type { ResourceSlice } from '@coxswain/api/resource/v1/resource-slice.ts';
import type { CounterSet, Device } from '@coxswain/api/resource/v1/device.ts';
import { nodeSelectorMatcher } from '@coxswain/api/core/v1/pod/node-matching.ts';

/** A device with its origin. */
export interface PoolDevice {
  /** `driver/pool/device`. */
  readonly id: string;
  readonly driver: string;
  readonly device: Device;
  readonly slice: ResourceSlice;
  readonly pool: DevicePool;
}

/** The devices of one pool that a node can access. */
export interface DevicePool {
  /** `driver/pool`. */
  readonly id: string;
  /** Slices are missing because it is just being updated. */
  readonly incomplete: boolean;
  /** It is inconsistent, so none of its devices can be used. */
  readonly invalid: boolean;
  readonly devices: readonly PoolDevice[];
  readonly counterSets: readonly CounterSet[];
  /** For the whole pool, since devices elsewhere consume the same counters. */
  readonly allDevices: readonly { readonly id: string; readonly device: Device }[];
}

/** The slices of the newest generation, by pool. */
export type SlicesByPool = ReadonlyMap<string, readonly ResourceSlice[]>;

export const poolIdOf = ({ spec }: ResourceSlice): string => `${spec.driver}/${spec.pool.name}`;

export function slicesByPool(slices: Iterable<ResourceSlice>): SlicesByPool {
  const pools = new Map<string, ResourceSlice[]>();
  for (const slice of slices) {
    const id = poolIdOf(slice);
    const known = pools.get(id);
    const generation = Number(slice.spec.pool.generation);
    const knownGeneration = Number(known?.[0]?.spec.pool.generation ?? -1);
    if (known === undefined || generation > knownGeneration) pools.set(id, [slice]);
    else if (generation === knownGeneration) known.push(slice);
  }
  const name = (slice: ResourceSlice) => slice.metadata?.name ?? '';
  for (const of of pools.values()) of.sort((a, b) => (name(a) < name(b) ? -1 : 1));
  return pools;
}

/**
 * Returns the pools that the node can access, sorted by driver and name; those whose devices need preparation come
 * last.
 */
export function poolsOfNode(slices: SlicesByPool, node: Node): readonly DevicePool[] {
  const pools: DevicePool[] = [];
  for (const [id, all] of slices) {
    const near = all.filter((slice) => isRelevant(slice, node));
    if (near.length > 0) pools.push(poolOf(id, near, all));
  }
  const rank = ({ devices }: DevicePool) =>
    devices.some(({ device }) => (device.bindingConditions?.length ?? 0) > 0) ? 1 : 0;
  const key = ({ id }: DevicePool) => id.replace('/', '\0');
  return pools.sort((a, b) => rank(a) - rank(b) || (key(a) < key(b) ? -1 : 1));
}

/** Whether a device is on the node, if its slice specifies nodes per device. */
export const isDeviceOnNode = ({ device, slice }: PoolDevice, node: Node): boolean =>
  !slice.spec.perDeviceNodeSelection || isOnNode(device, node);

function isRelevant(slice: ResourceSlice, node: Node): boolean {
  const { sharedCounters, perDeviceNodeSelection, devices } = slice.spec;
  if ((sharedCounters?.length ?? 0) > 0) return true;
  return perDeviceNodeSelection
    ? (devices ?? []).some((device) => isOnNode(device, node))
    : isOnNode(slice.spec, node);
}

interface NodeSelection {
  readonly nodeName?: string | null | undefined;
  readonly allNodes?: boolean | null | undefined;
  readonly nodeSelector?: NodeSelector | null | undefined;
}

export function isOnNode({ nodeName, allNodes, nodeSelector }: NodeSelection, node: Node): boolean {
  if (nodeName) return node.metadata?.name === nodeName;
  if (allNodes) return true;
  return nodeSelector ? nodeSelectorMatcher(nodeSelector)(node) : false;
}

function poolOf(id: string, near: readonly ResourceSlice[], all: readonly ResourceSlice[]): DevicePool {
  const incomplete = all.length !== Number(all[0]?.spec.pool.resourceSliceCount);
  const counterSets = near.flatMap(({ spec }) => spec.sharedCounters ?? []);
  const devices: PoolDevice[] = [];
  const pool: DevicePool = {
    id,
    incomplete,
    invalid: !incomplete && isInvalid(near, all, counterSets),
    devices,
    counterSets,
    allDevices: all.flatMap(({ spec }) =>
      (spec.devices ?? []).map((device) => ({ id: `${id}/${device.name}`, device })),
    ),
  };
  for (const slice of near) {
    for (const device of slice.spec.devices ?? [])
      devices.push({ id: `${id}/${device.name}`, driver: slice.spec.driver, device, slice, pool });
  }
  return pool;
}

function isInvalid(
  near: readonly ResourceSlice[],
  all: readonly ResourceSlice[],
  counterSets: readonly CounterSet[],
): boolean {
  const names = near.flatMap(({ spec }) => (spec.devices ?? []).map(({ name }) => name));
  if (new Set(names).size < names.length) return true;
  const sets = new Map(counterSets.map((set) => [set.name, set]));
  if (sets.size < counterSets.length) return true;
  const consumed = all.flatMap(({ spec }) =>
    (spec.devices ?? []).flatMap((one) => one.consumesCounters ?? []),
  );
  return consumed.some(({ counterSet, counters }) => {
    const set = sets.get(counterSet);
    return Object.keys(counters ?? {}).some((name) => set?.counters?.[name] === undefined);
  });
}
