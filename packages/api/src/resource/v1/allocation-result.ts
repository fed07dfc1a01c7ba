import * as t from '@coxswain/schema';
import { NodeSelector } from '../../core/v1/node-selector.ts';
import { DeviceConfiguration } from './device-configuration.ts';
import { DeviceToleration } from './device-toleration.ts';

export const DeviceRequestAllocationResult = t.struct('resource/v1.DeviceRequestAllocationResult', {
  request: t.always(1, t.string, { required: true }),
  driver: t.always(2, t.string, { required: true }),
  pool: t.always(3, t.string, { required: true }),
  device: t.always(4, t.string, { required: true }),
  adminAccess: t.pointer(5, t.bool, { gate: 'DRAAdminAccess' }),
  tolerations: t.optional(6, t.atomicList(DeviceToleration), { gate: 'DRADeviceTaints' }),
  bindingConditions: t.optional(7, t.atomicList(t.string), { gate: 'DRADeviceBindingConditions' }),
  bindingFailureConditions: t.optional(8, t.atomicList(t.string), { gate: 'DRADeviceBindingConditions' }),
  shareID: t.pointer(9, t.named('types.UID', t.string), { gate: 'DRAConsumableCapacity' }),
  consumedCapacity: t.optional(10, t.named('map[v1.QualifiedName]resource.Quantity', t.map(t.quantity)), {
    gate: 'DRAConsumableCapacity',
  }),
});
export interface DeviceRequestAllocationResult extends t.Static<typeof DeviceRequestAllocationResult> {}

export const DeviceAllocationConfiguration = t.struct('resource/v1.DeviceAllocationConfiguration', {
  source: t.always(1, t.named('v1.AllocationConfigSource', t.oneOf(['FromClass', 'FromClaim'])), {
    required: true,
  }),
  requests: t.optional(2, t.atomicList(t.string)),
  deviceConfiguration: t.embedded(3, DeviceConfiguration),
});
export interface DeviceAllocationConfiguration extends t.Static<typeof DeviceAllocationConfiguration> {}

export const DeviceAllocationResult = t.struct('resource/v1.DeviceAllocationResult', {
  results: t.optional(1, t.atomicList(DeviceRequestAllocationResult)),
  config: t.optional(2, t.atomicList(DeviceAllocationConfiguration)),
});
export interface DeviceAllocationResult extends t.Static<typeof DeviceAllocationResult> {}

export const AllocationResult = t.struct('resource/v1.AllocationResult', {
  devices: t.optional(1, DeviceAllocationResult),
  nodeSelector: t.pointer(3, NodeSelector),
  allocationTimestamp: t.pointer(5, t.time, { gate: 'DRADeviceBindingConditions' }),
});
export interface AllocationResult extends t.Static<typeof AllocationResult> {}
