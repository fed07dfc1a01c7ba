import * as t from '@coxswain/schema';
import { DeviceConfiguration } from './device-configuration.ts';
import { DeviceSelector } from './device-selector.ts';
import { DeviceToleration } from './device-toleration.ts';

export const CapacityRequirements = t.struct('resource/v1beta2.CapacityRequirements', {
  requests: t.optional(1, t.named('map[v1beta2.QualifiedName]resource.Quantity', t.map(t.quantity))),
});
export interface CapacityRequirements extends t.Static<typeof CapacityRequirements> {}

export const ExactDeviceRequest = t.struct('resource/v1beta2.ExactDeviceRequest', {
  deviceClassName: t.always(1, t.string, { required: true }),
  selectors: t.optional(2, t.atomicList(DeviceSelector)),
  allocationMode: t.optional(3, t.named('v1beta2.DeviceAllocationMode', t.oneOf(['ExactCount', 'All'])), {
    default: 'ExactCount',
  }),
  count: t.optional(4, t.int64),
  adminAccess: t.pointer(5, t.bool, { gate: 'DRAAdminAccess' }),
  tolerations: t.optional(6, t.atomicList(DeviceToleration), { gate: 'DRADeviceTaints' }),
  capacity: t.pointer(7, CapacityRequirements, { gate: 'DRAConsumableCapacity' }),
});
export interface ExactDeviceRequest extends t.Static<typeof ExactDeviceRequest> {}

export const DeviceSubRequest = t.struct('resource/v1beta2.DeviceSubRequest', {
  name: t.always(1, t.string, { required: true }),
  deviceClassName: t.always(2, t.string, { required: true }),
  selectors: t.optional(3, t.atomicList(DeviceSelector)),
  allocationMode: t.optional(4, t.named('v1beta2.DeviceAllocationMode', t.oneOf(['ExactCount', 'All'])), {
    default: 'ExactCount',
  }),
  count: t.optional(5, t.int64),
  tolerations: t.optional(6, t.atomicList(DeviceToleration), { gate: 'DRADeviceTaints' }),
  capacity: t.pointer(7, CapacityRequirements, { gate: 'DRAConsumableCapacity' }),
});
export interface DeviceSubRequest extends t.Static<typeof DeviceSubRequest> {}

export const DeviceRequest = t.struct('resource/v1beta2.DeviceRequest', {
  name: t.always(1, t.string, { required: true }),
  exactly: t.pointer(2, ExactDeviceRequest),
  firstAvailable: t.optional(3, t.atomicList(DeviceSubRequest), { gate: 'DRAPrioritizedList' }),
});
export interface DeviceRequest extends t.Static<typeof DeviceRequest> {}

export const DeviceConstraint = t.struct('resource/v1beta2.DeviceConstraint', {
  requests: t.optional(1, t.atomicList(t.string)),
  matchAttribute: t.pointer(2, t.named('v1beta2.FullyQualifiedName', t.string)),
  distinctAttribute: t.pointer(3, t.named('v1beta2.FullyQualifiedName', t.string), {
    gate: 'DRAConsumableCapacity',
  }),
});
export interface DeviceConstraint extends t.Static<typeof DeviceConstraint> {}

export const DeviceClaimConfiguration = t.struct('resource/v1beta2.DeviceClaimConfiguration', {
  requests: t.optional(1, t.atomicList(t.string)),
  deviceConfiguration: t.embedded(2, DeviceConfiguration),
});
export interface DeviceClaimConfiguration extends t.Static<typeof DeviceClaimConfiguration> {}

export const DeviceClaim = t.struct('resource/v1beta2.DeviceClaim', {
  requests: t.always(1, t.atomicList(DeviceRequest)),
  constraints: t.optional(2, t.atomicList(DeviceConstraint)),
  config: t.optional(3, t.atomicList(DeviceClaimConfiguration)),
});
export interface DeviceClaim extends t.Static<typeof DeviceClaim> {}

export const ResourceClaimSpec = t.struct('resource/v1beta2.ResourceClaimSpec', {
  devices: t.always(1, DeviceClaim),
});
export interface ResourceClaimSpec extends t.Static<typeof ResourceClaimSpec> {}
