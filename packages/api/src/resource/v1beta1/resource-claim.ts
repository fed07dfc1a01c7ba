import * as t from '@coxswain/schema';
import { NodeSelector } from '../../core/v1/node-selector.ts';
import { Condition } from '../../meta/v1/condition.ts';
import { DeviceConfiguration } from './device-configuration.ts';
import { DeviceToleration } from './device-toleration.ts';
import { ResourceClaimSpec } from './resource-claim-spec.ts';
import { defaultDeviceRequests } from '../v1/device-defaults.ts';
import { claimColumns } from '../v1/resource-claim-columns.ts';

export const NetworkDeviceData = t.struct('resource/v1beta1.NetworkDeviceData', {
  interfaceName: t.optional(1, t.string),
  ips: t.optional(2, t.atomicList(t.string), { go: 'IPs' }),
  hardwareAddress: t.optional(3, t.string),
});
export interface NetworkDeviceData extends t.Static<typeof NetworkDeviceData> {}

export const AllocatedDeviceStatus = t.struct('resource/v1beta1.AllocatedDeviceStatus', {
  driver: t.always(1, t.string, { required: true }),
  pool: t.always(2, t.string, { required: true }),
  device: t.always(3, t.string, { required: true }),
  shareID: t.pointer(7, t.string, { gate: 'DRAConsumableCapacity' }),
  conditions: t.always(4, t.listMap(Condition, ['type'])),
  data: t.pointer(5, t.rawExtension),
  networkData: t.pointer(6, NetworkDeviceData),
});
export interface AllocatedDeviceStatus extends t.Static<typeof AllocatedDeviceStatus> {}

export const DeviceRequestAllocationResult = t.struct('resource/v1beta1.DeviceRequestAllocationResult', {
  request: t.always(1, t.string, { required: true }),
  driver: t.always(2, t.string, { required: true }),
  pool: t.always(3, t.string, { required: true }),
  device: t.always(4, t.string, { required: true }),
  adminAccess: t.pointer(5, t.bool, { gate: 'DRAAdminAccess' }),
  tolerations: t.optional(6, t.atomicList(DeviceToleration), { gate: 'DRADeviceTaints' }),
  bindingConditions: t.optional(7, t.atomicList(t.string), { gate: 'DRADeviceBindingConditions' }),
  bindingFailureConditions: t.optional(8, t.atomicList(t.string), { gate: 'DRADeviceBindingConditions' }),
  shareID: t.pointer(9, t.named('types.UID', t.string), { gate: 'DRAConsumableCapacity' }),
  consumedCapacity: t.optional(
    10,
    t.named('map[v1beta1.QualifiedName]resource.Quantity', t.map(t.quantity)),
    {
      gate: 'DRAConsumableCapacity',
    },
  ),
});
export interface DeviceRequestAllocationResult extends t.Static<typeof DeviceRequestAllocationResult> {}

export const DeviceAllocationConfiguration = t.struct('resource/v1beta1.DeviceAllocationConfiguration', {
  source: t.always(1, t.named('v1beta1.AllocationConfigSource', t.oneOf(['FromClass', 'FromClaim'])), {
    required: true,
  }),
  requests: t.optional(2, t.atomicList(t.string)),
  deviceConfiguration: t.embedded(3, DeviceConfiguration),
});
export interface DeviceAllocationConfiguration extends t.Static<typeof DeviceAllocationConfiguration> {}

export const DeviceAllocationResult = t.struct('resource/v1beta1.DeviceAllocationResult', {
  results: t.optional(1, t.atomicList(DeviceRequestAllocationResult)),
  config: t.optional(2, t.atomicList(DeviceAllocationConfiguration)),
});
export interface DeviceAllocationResult extends t.Static<typeof DeviceAllocationResult> {}

export const AllocationResult = t.struct('resource/v1beta1.AllocationResult', {
  devices: t.optional(1, DeviceAllocationResult),
  nodeSelector: t.pointer(3, NodeSelector),
  allocationTimestamp: t.pointer(5, t.time, { gate: 'DRADeviceBindingConditions' }),
});
export interface AllocationResult extends t.Static<typeof AllocationResult> {}

export const ResourceClaimConsumerReference = t.struct('resource/v1beta1.ResourceClaimConsumerReference', {
  apiGroup: t.optional(1, t.string, { go: 'APIGroup' }),
  resource: t.always(3, t.string, { required: true }),
  name: t.always(4, t.string, { required: true }),
  uid: t.always(5, t.named('types.UID', t.string), { required: true, go: 'UID' }),
});
export interface ResourceClaimConsumerReference extends t.Static<typeof ResourceClaimConsumerReference> {}

export const ResourceClaimStatus = t.struct('resource/v1beta1.ResourceClaimStatus', {
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

export const ResourceClaim = t.kind(
  'resource/v1beta1.ResourceClaim',
  'resource.k8s.io/v1beta1',
  { plural: 'resourceclaims', namespaced: true },
  {
    metadata: t.optional(1, t.ObjectMeta, { go: 'ObjectMeta' }),
    spec: t.always(2, ResourceClaimSpec, { required: true }),
    status: t.optional(3, ResourceClaimStatus),
  },
  {
    defaults: [({ spec }) => defaultDeviceRequests(spec.devices?.requests)],
    columns: claimColumns,
  },
);
export interface ResourceClaim extends t.Static<typeof ResourceClaim> {}
