import {
  always,
  atomicList,
  bool,
  embedded,
  int64,
  map,
  optional,
  pointer,
  quantity,
  string,
  struct,
  oneOf,
  named,
} from '@coxswain/schema';
import type { Static } from '@coxswain/schema';
import { DeviceConfiguration } from './device-configuration.ts';
import { DeviceSelector } from './device-selector.ts';
import { DeviceToleration } from './device-toleration.ts';

export const CapacityRequirements = struct('resource/v1beta2.CapacityRequirements', {
  requests: optional(1, named('map[v1beta2.QualifiedName]resource.Quantity', map(quantity))),
});
export interface CapacityRequirements extends Static<typeof CapacityRequirements> {}

export const ExactDeviceRequest = struct('resource/v1beta2.ExactDeviceRequest', {
  deviceClassName: always(1, string, { required: true }),
  selectors: optional(2, atomicList(DeviceSelector)),
  allocationMode: optional(3, named('v1beta2.DeviceAllocationMode', oneOf(['ExactCount', 'All'])), {
    default: 'ExactCount',
  }),
  count: optional(4, int64),
  adminAccess: pointer(5, bool, { gate: 'DRAAdminAccess' }),
  tolerations: optional(6, atomicList(DeviceToleration), { gate: 'DRADeviceTaints' }),
  capacity: pointer(7, CapacityRequirements, { gate: 'DRAConsumableCapacity' }),
});
export interface ExactDeviceRequest extends Static<typeof ExactDeviceRequest> {}

export const DeviceSubRequest = struct('resource/v1beta2.DeviceSubRequest', {
  name: always(1, string, { required: true }),
  deviceClassName: always(2, string, { required: true }),
  selectors: optional(3, atomicList(DeviceSelector)),
  allocationMode: optional(4, named('v1beta2.DeviceAllocationMode', oneOf(['ExactCount', 'All'])), {
    default: 'ExactCount',
  }),
  count: optional(5, int64),
  tolerations: optional(6, atomicList(DeviceToleration), { gate: 'DRADeviceTaints' }),
  capacity: pointer(7, CapacityRequirements, { gate: 'DRAConsumableCapacity' }),
});
export interface DeviceSubRequest extends Static<typeof DeviceSubRequest> {}

export const DeviceRequest = struct('resource/v1beta2.DeviceRequest', {
  name: always(1, string, { required: true }),
  exactly: pointer(2, ExactDeviceRequest),
  firstAvailable: optional(3, atomicList(DeviceSubRequest), { gate: 'DRAPrioritizedList' }),
});
export interface DeviceRequest extends Static<typeof DeviceRequest> {}

export const DeviceConstraint = struct('resource/v1beta2.DeviceConstraint', {
  requests: optional(1, atomicList(string)),
  matchAttribute: pointer(2, named('v1beta2.FullyQualifiedName', string)),
  distinctAttribute: pointer(3, named('v1beta2.FullyQualifiedName', string), {
    gate: 'DRAConsumableCapacity',
  }),
});
export interface DeviceConstraint extends Static<typeof DeviceConstraint> {}

export const DeviceClaimConfiguration = struct('resource/v1beta2.DeviceClaimConfiguration', {
  requests: optional(1, atomicList(string)),
  deviceConfiguration: embedded(2, DeviceConfiguration),
});
export interface DeviceClaimConfiguration extends Static<typeof DeviceClaimConfiguration> {}

export const DeviceClaim = struct('resource/v1beta2.DeviceClaim', {
  requests: always(1, atomicList(DeviceRequest)),
  constraints: optional(2, atomicList(DeviceConstraint)),
  config: optional(3, atomicList(DeviceClaimConfiguration)),
});
export interface DeviceClaim extends Static<typeof DeviceClaim> {}

export const ResourceClaimSpec = struct('resource/v1beta2.ResourceClaimSpec', {
  devices: always(1, DeviceClaim),
});
export interface ResourceClaimSpec extends Static<typeof ResourceClaimSpec> {}
