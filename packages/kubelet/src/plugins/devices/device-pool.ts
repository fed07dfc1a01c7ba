/** The devices of one resource: which there are, which are well, whether their plugin is there. */
import { healthy } from './device-messages.ts';
import type { DeviceEndpoint, PluginDevice } from './device-endpoint.ts';

export interface DevicePool {
  readonly devices: ReadonlyMap<string, PluginDevice>;
  readonly endpoint: DeviceEndpoint | undefined;
  /** Since when there is no plugin. */
  readonly lostMs: number | undefined;
}

/** A plugin that is replaced has so long until its resource goes from the node. */
const lostMsMax = 5 * 60_000;

export const healthyIds = ({ devices, endpoint }: DevicePool): ReadonlySet<string> =>
  new Set(
    endpoint === undefined
      ? []
      : [...devices.values()].filter(({ health }) => health === healthy).map(({ id }) => id),
  );

/** Devices of a plugin that is gone count as the node's for a while, but nobody gets them. */
export function poolAmounts(pools: ReadonlyMap<string, DevicePool>, nowMs: number) {
  const capacity: Record<string, string> = {};
  const allocatable: Record<string, string> = {};
  for (const [resource, pool] of pools) {
    const isOver = pool.lostMs !== undefined && nowMs - pool.lostMs > lostMsMax;
    capacity[resource] = String(isOver ? 0 : pool.devices.size);
    allocatable[resource] = String(isOver ? 0 : healthyIds(pool).size);
  }
  return { capacity, allocatable };
}

/** Device ids by NUMA node, as the checkpoint has them. */
export function byNumaNode(pool: DevicePool | undefined, ids: Iterable<string>): Record<string, string[]> {
  const found: Record<string, string[]> = {};
  for (const id of ids) {
    const nodes = pool?.devices.get(id)?.topology?.nodes ?? [];
    for (const node of nodes.length === 0 ? [withoutNode] : nodes.map((each) => String(each.id)))
      (found[node] ??= []).push(id);
  }
  return found;
}

const withoutNode = '-1';
