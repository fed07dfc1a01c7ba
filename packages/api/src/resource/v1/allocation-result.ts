import {
  always,
  atomicList,
  bool,
  embedded,
  map,
  oneOf,
  optional,
  pointer,
  quantity,
  string,
  struct,
  time,
  named,
} from '@coxswain/schema';
import type { Static } from '@coxswain/schema';
import { NodeSelector } from '../../core/v1/node-selector.ts';
import { DeviceConfiguration } from './device-configuration.ts';
import { DeviceToleration } from './device-toleration.ts';

export const DeviceRequestAllocationResult = struct('resource/v1.DeviceRequestAllocationResult', {
  request: always(1, string, { required: true }),
  driver: always(2, string, { required: true }),
  pool: always(3, string, { required: true }),
  device: always(4, string, { required: true }),
  adminAccess: pointer(5, bool, { gate: 'DRAAdminAccess' }),
  tolerations: optional(6, atomicList(DeviceToleration), { gate: 'DRADeviceTaints' }),
  bindingConditions: optional(7, atomicList(string), { gate: 'DRADeviceBindingConditions' }),
  bindingFailureConditions: optional(8, atomicList(string), { gate: 'DRADeviceBindingConditions' }),
  shareID: pointer(9, named('types.UID', string), { gate: 'DRAConsumableCapacity' }),
  consumedCapacity: optional(10, named('map[v1.QualifiedName]resource.Quantity', map(quantity)), {
    gate: 'DRAConsumableCapacity',
  }),
});
export interface DeviceRequestAllocationResult extends Static<typeof DeviceRequestAllocationResult> {}

export const DeviceAllocationConfiguration = struct('resource/v1.DeviceAllocationConfiguration', {
  source: always(1, named('v1.AllocationConfigSource', oneOf(['FromClass', 'FromClaim'])), {
    required: true,
  }),
  requests: optional(2, atomicList(string)),
  deviceConfiguration: embedded(3, DeviceConfiguration),
});
export interface DeviceAllocationConfiguration extends Static<typeof DeviceAllocationConfiguration> {}

export const DeviceAllocationResult = struct('resource/v1.DeviceAllocationResult', {
  results: optional(1, atomicList(DeviceRequestAllocationResult)),
  config: optional(2, atomicList(DeviceAllocationConfiguration)),
});
export interface DeviceAllocationResult extends Static<typeof DeviceAllocationResult> {}

export const AllocationResult = struct('resource/v1.AllocationResult', {
  devices: optional(1, DeviceAllocationResult),
  nodeSelector: pointer(3, NodeSelector),
  allocationTimestamp: pointer(5, time, { gate: 'DRADeviceBindingConditions' }),
});
export interface AllocationResult extends Static<typeof AllocationResult> {}
