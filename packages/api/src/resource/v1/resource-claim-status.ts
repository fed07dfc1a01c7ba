import * as t from '@coxswain/schema';
import { AllocationResult } from './allocation-result.ts';
import { Condition } from '../../meta/v1/condition.ts';

export const NetworkDeviceData = t.struct('resource/v1.NetworkDeviceData', {
  interfaceName: t.optional(1, t.string),
  ips: t.optional(2, t.atomicList(t.string), { go: 'IPs' }),
  hardwareAddress: t.optional(3, t.string),
});
export interface NetworkDeviceData extends t.Static<typeof NetworkDeviceData> {}

export const AllocatedDeviceStatus = t.struct('resource/v1.AllocatedDeviceStatus', {
  driver: t.always(1, t.string, { required: true }),
  pool: t.always(2, t.string, { required: true }),
  device: t.always(3, t.string, { required: true }),
  shareID: t.pointer(7, t.string, { gate: 'DRAConsumableCapacity' }),
  conditions: t.always(4, t.listMap(Condition, ['type'])),
  data: t.pointer(5, t.rawExtension),
  networkData: t.pointer(6, NetworkDeviceData),
});
export interface AllocatedDeviceStatus extends t.Static<typeof AllocatedDeviceStatus> {}

export const ResourceClaimConsumerReference = t.struct('resource/v1.ResourceClaimConsumerReference', {
  apiGroup: t.optional(1, t.string, { go: 'APIGroup' }),
  resource: t.always(3, t.string, { required: true }),
  name: t.always(4, t.string, { required: true }),
  uid: t.always(5, t.named('types.UID', t.string), { required: true, go: 'UID' }),
});
export interface ResourceClaimConsumerReference extends t.Static<typeof ResourceClaimConsumerReference> {}

export const ResourceClaimStatus = t.struct('resource/v1.ResourceClaimStatus', {
  allocation: t.pointer(1, AllocationResult),
  reservedFor: t.optional(2, t.listMap(ResourceClaimConsumerReference, ['uid']), {
    patch: 'merge',
    patchKey: 'uid',
  }),
  devices: t.optional(4, t.listMap(AllocatedDeviceStatus, ['driver', 'device', 'pool', 'shareID']), {
    gate: 'DRAResourceClaimDeviceStatus',
  }),
});
export interface ResourceClaimStatus extends t.Static<typeof ResourceClaimStatus> {}
