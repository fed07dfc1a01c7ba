/** The devices of one resource, their health, and whether their plugin is connected. */
import { healthy } from './device-messages.ts';
import type { DeviceEndpoint, PluginDevice } from './device-endpoint.ts';

export interface DevicePool {
  readonly devices: ReadonlyMap<string, PluginDevice>;
  readonly endpoint: DeviceEndpoint | undefined;
  /** When the plugin disconnected. */
  readonly lostMs: number | undefined;
}

/** The time to replace a plugin before its resource is removed from the node. */
const lostMsMax = 5 * 60_000;

export const healthyIds = ({ devices, endpoint }: DevicePool): ReadonlySet<string> =>
  new Set(
    endpoint === undefined
      ? []
      : [...devices.values()].filter(({ health }) => health === healthy).map(({ id }) => id),
  );

/** Devices of a disconnected plugin remain in the capacity for a while, but are not allocatable. */
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

/** Device IDs by NUMA node, as in the checkpoint. */
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
