import * as t from '@coxswain/schema';
import { DeviceSelector } from './device-selector.ts';
import { DeviceToleration } from './device-toleration.ts';
import * as v1beta2 from '../v1beta2/resource-claim-spec.ts';

export const CapacityRequirements = t.structIn('resource/v1beta1', v1beta2.CapacityRequirements);
export interface CapacityRequirements extends t.Static<typeof CapacityRequirements> {}

export const DeviceSubRequest = t.structIn('resource/v1beta1', v1beta2.DeviceSubRequest, {
  fields: {
    tolerations: t.optional(7, t.atomicList(DeviceToleration), { gate: 'DRADeviceTaints' }),
    capacity: t.pointer(8, CapacityRequirements, { gate: 'DRAConsumableCapacity' }),
  },
});
export interface DeviceSubRequest extends t.Static<typeof DeviceSubRequest> {}

export const DeviceRequest = t.struct('resource/v1beta1.DeviceRequest', {
  name: t.always(1, t.string, { required: true }),
  deviceClassName: t.always(2, t.string),
  selectors: t.optional(3, t.atomicList(DeviceSelector)),
  allocationMode: t.optional(4, t.named('v1beta1.DeviceAllocationMode', t.oneOf(['ExactCount', 'All']))),
  count: t.optional(5, t.int64),
  adminAccess: t.pointer(6, t.bool, { gate: 'DRAAdminAccess' }),
  firstAvailable: t.optional(7, t.atomicList(DeviceSubRequest), { gate: 'DRAPrioritizedList' }),
  tolerations: t.optional(8, t.atomicList(DeviceToleration), { gate: 'DRADeviceTaints' }),
  capacity: t.pointer(9, CapacityRequirements, { gate: 'DRAConsumableCapacity' }),
});
export interface DeviceRequest extends t.Static<typeof DeviceRequest> {}

export const DeviceClaim = t.structIn('resource/v1beta1', v1beta2.DeviceClaim, {
  fields: { requests: t.always(1, t.atomicList(DeviceRequest)) },
});
export interface DeviceClaim extends t.Static<typeof DeviceClaim> {}

export const ResourceClaimSpec = t.struct('resource/v1beta1.ResourceClaimSpec', {
  devices: t.always(1, DeviceClaim),
});
export interface ResourceClaimSpec extends t.Static<typeof ResourceClaimSpec> {}
