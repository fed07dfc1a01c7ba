import type { ResourceSlice } from '@coxswain/api/resource/v1/resource-slice.ts';
import type { Device } from '@coxswain/api/resource/v1/device.ts';
import type { DeviceClass } from '@coxswain/api/resource/v1/device-class.ts';
import { canBeDevices } from '../../cache/extended-resource-classes.ts';
import type { NodeInfo } from '../../cache/node-info.ts';
import type { Cluster } from '../../framework/cluster.ts';
import { allocatedDevices } from './allocated-devices.ts';
import { ClaimAllocations } from './claim-allocations.ts';
import { isOnNode, poolIdOf } from './device-pools.ts';
import { loadedSelectors } from './loaded-selectors.ts';

export interface DeviceTotal {
  readonly capacity: number;
  readonly requested: number;
}

/** Returns the number of a node's devices that an extended resource stands for; undefined if there are none. */
export type DeviceTotals = (node: NodeInfo, resource: string) => DeviceTotal | undefined;

/** Uses the current devices; undefined if none of the resources stands for devices. */
export function deviceTotals(resources: readonly string[], { objects }: Cluster): DeviceTotals | undefined {
  const classes = new Map<string, DeviceClass>();
  for (const name of resources) {
    const deviceClass = canBeDevices(name) ? objects.classOfResource(name) : undefined;
    if (deviceClass !== undefined) classes.set(name, deviceClass);
  }
  if (classes.size === 0) return undefined;
  const slices = [...objects.resourceSlices()];
  const { exclusive, shared } = allocatedDevices(ClaimAllocations.of(objects).all());
  return ({ node }, resource) => {
    const deviceClass = classes.get(resource);
    if (deviceClass === undefined) return undefined;
    let capacity = 0;
    let requested = 0;
    for (const slice of slices) {
      const { perDeviceNodeSelection, devices = [] } = slice.spec;
      if (!perDeviceNodeSelection && !isOnNode(slice.spec, node)) continue;
      for (const device of devices) {
        if (perDeviceNodeSelection && !isOnNode(device, node)) continue;
        const id = `${poolIdOf(slice)}/${device.name}`;
        if (!isOfClass(device, slice, deviceClass)) continue;
        capacity++;
        if (exclusive.has(id) || shared.has(id)) requested++;
      }
    }
    return capacity === 0 ? undefined : { capacity, requested };
  };
}

/** A selector that fails matches nothing. */
function isOfClass(device: Device, slice: ResourceSlice, { spec }: DeviceClass): boolean {
  const selectors = loadedSelectors();
  const { driver } = slice.spec;
  try {
    return (spec.selectors ?? []).every(
      ({ cel }) => selectors?.matches(cel?.expression ?? '', { device, driver }) ?? false,
    );
  } catch {
    return false;
  }
}
