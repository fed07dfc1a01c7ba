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

export const CapacityRequirements = struct('resource/v1beta1.CapacityRequirements', {
  requests: optional(1, named('map[v1beta1.QualifiedName]resource.Quantity', map(quantity))),
});
export interface CapacityRequirements extends Static<typeof CapacityRequirements> {}

export const DeviceSubRequest = struct('resource/v1beta1.DeviceSubRequest', {
  name: always(1, string, { required: true }),
  deviceClassName: always(2, string, { required: true }),
  selectors: optional(3, atomicList(DeviceSelector)),
  allocationMode: optional(4, named('v1beta1.DeviceAllocationMode', oneOf(['ExactCount', 'All'])), {
    default: 'ExactCount',
  }),
  count: optional(5, int64),
  tolerations: optional(7, atomicList(DeviceToleration), { gate: 'DRADeviceTaints' }),
  capacity: pointer(8, CapacityRequirements, { gate: 'DRAConsumableCapacity' }),
});
export interface DeviceSubRequest extends Static<typeof DeviceSubRequest> {}

export const DeviceRequest = struct('resource/v1beta1.DeviceRequest', {
  name: always(1, string, { required: true }),
  deviceClassName: always(2, string),
  selectors: optional(3, atomicList(DeviceSelector)),
  allocationMode: optional(4, named('v1beta1.DeviceAllocationMode', oneOf(['ExactCount', 'All']))),
  count: optional(5, int64),
  adminAccess: pointer(6, bool, { gate: 'DRAAdminAccess' }),
  firstAvailable: optional(7, atomicList(DeviceSubRequest), { gate: 'DRAPrioritizedList' }),
  tolerations: optional(8, atomicList(DeviceToleration), { gate: 'DRADeviceTaints' }),
  capacity: pointer(9, CapacityRequirements, { gate: 'DRAConsumableCapacity' }),
});
export interface DeviceRequest extends Static<typeof DeviceRequest> {}

export const DeviceConstraint = struct('resource/v1beta1.DeviceConstraint', {
  requests: optional(1, atomicList(string)),
  matchAttribute: pointer(2, named('v1beta1.FullyQualifiedName', string)),
  distinctAttribute: pointer(3, named('v1beta1.FullyQualifiedName', string), {
    gate: 'DRAConsumableCapacity',
  }),
});
export interface DeviceConstraint extends Static<typeof DeviceConstraint> {}

export const DeviceClaimConfiguration = struct('resource/v1beta1.DeviceClaimConfiguration', {
  requests: optional(1, atomicList(string)),
  deviceConfiguration: embedded(2, DeviceConfiguration),
});
export interface DeviceClaimConfiguration extends Static<typeof DeviceClaimConfiguration> {}

export const DeviceClaim = struct('resource/v1beta1.DeviceClaim', {
  requests: always(1, atomicList(DeviceRequest)),
  constraints: optional(2, atomicList(DeviceConstraint)),
  config: optional(3, atomicList(DeviceClaimConfiguration)),
});
export interface DeviceClaim extends Static<typeof DeviceClaim> {}

export const ResourceClaimSpec = struct('resource/v1beta1.ResourceClaimSpec', {
  devices: always(1, DeviceClaim),
});
export interface ResourceClaimSpec extends Static<typeof ResourceClaimSpec> {}
