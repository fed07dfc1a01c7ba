import {
  always,
  atomicList,
  bool,
  embedded,
  kind,
  listMap,
  map,
  ObjectMeta,
  optional,
  pointer,
  quantity,
  rawExtension,
  string,
  struct,
  time,
  oneOf,
  named,
} from '@coxswain/schema';
import type { Static } from '@coxswain/schema';
import { NodeSelector } from '../../core/v1/node-selector.ts';
import { Condition } from '../../meta/v1/condition.ts';
import { DeviceConfiguration } from './device-configuration.ts';
import { DeviceToleration } from './device-toleration.ts';
import { ResourceClaimSpec } from './resource-claim-spec.ts';
import { defaultDeviceRequests } from '../v1/device-defaults.ts';
import { claimColumns } from '../v1/resource-claim-columns.ts';

export const NetworkDeviceData = struct('resource/v1beta2.NetworkDeviceData', {
  interfaceName: optional(1, string),
  ips: optional(2, atomicList(string), { go: 'IPs' }),
  hardwareAddress: optional(3, string),
});
export interface NetworkDeviceData extends Static<typeof NetworkDeviceData> {}

export const AllocatedDeviceStatus = struct('resource/v1beta2.AllocatedDeviceStatus', {
  driver: always(1, string, { required: true }),
  pool: always(2, string, { required: true }),
  device: always(3, string, { required: true }),
  shareID: pointer(7, string, { gate: 'DRAConsumableCapacity' }),
  conditions: always(4, listMap(Condition, ['type'])),
  data: pointer(5, rawExtension),
  networkData: pointer(6, NetworkDeviceData),
});
export interface AllocatedDeviceStatus extends Static<typeof AllocatedDeviceStatus> {}

export const DeviceRequestAllocationResult = struct('resource/v1beta2.DeviceRequestAllocationResult', {
  request: always(1, string, { required: true }),
  driver: always(2, string, { required: true }),
  pool: always(3, string, { required: true }),
  device: always(4, string, { required: true }),
  adminAccess: pointer(5, bool, { gate: 'DRAAdminAccess' }),
  tolerations: optional(6, atomicList(DeviceToleration), { gate: 'DRADeviceTaints' }),
  bindingConditions: optional(7, atomicList(string), { gate: 'DRADeviceBindingConditions' }),
  bindingFailureConditions: optional(8, atomicList(string), { gate: 'DRADeviceBindingConditions' }),
  shareID: pointer(9, named('types.UID', string), { gate: 'DRAConsumableCapacity' }),
  consumedCapacity: optional(10, named('map[v1beta2.QualifiedName]resource.Quantity', map(quantity)), {
    gate: 'DRAConsumableCapacity',
  }),
});
export interface DeviceRequestAllocationResult extends Static<typeof DeviceRequestAllocationResult> {}

export const DeviceAllocationConfiguration = struct('resource/v1beta2.DeviceAllocationConfiguration', {
  source: always(1, named('v1beta2.AllocationConfigSource', oneOf(['FromClass', 'FromClaim'])), {
    required: true,
  }),
  requests: optional(2, atomicList(string)),
  deviceConfiguration: embedded(3, DeviceConfiguration),
});
export interface DeviceAllocationConfiguration extends Static<typeof DeviceAllocationConfiguration> {}

export const DeviceAllocationResult = struct('resource/v1beta2.DeviceAllocationResult', {
  results: optional(1, atomicList(DeviceRequestAllocationResult)),
  config: optional(2, atomicList(DeviceAllocationConfiguration)),
});
export interface DeviceAllocationResult extends Static<typeof DeviceAllocationResult> {}

export const AllocationResult = struct('resource/v1beta2.AllocationResult', {
  devices: optional(1, DeviceAllocationResult),
  nodeSelector: pointer(3, NodeSelector),
  allocationTimestamp: pointer(5, time, { gate: 'DRADeviceBindingConditions' }),
});
export interface AllocationResult extends Static<typeof AllocationResult> {}

export const ResourceClaimConsumerReference = struct('resource/v1beta2.ResourceClaimConsumerReference', {
  apiGroup: optional(1, string, { go: 'APIGroup' }),
  resource: always(3, string, { required: true }),
  name: always(4, string, { required: true }),
  uid: always(5, named('types.UID', string), { required: true, go: 'UID' }),
});
export interface ResourceClaimConsumerReference extends Static<typeof ResourceClaimConsumerReference> {}

export const ResourceClaimStatus = struct('resource/v1beta2.ResourceClaimStatus', {
  allocation: pointer(1, AllocationResult),
  reservedFor: optional(2, listMap(ResourceClaimConsumerReference, ['uid']), {
    patch: 'merge',
    patchKey: 'uid',
  }),
  devices: optional(4, listMap(AllocatedDeviceStatus, ['driver', 'device', 'pool', 'shareID']), {
    gate: 'DRAResourceClaimDeviceStatus',
  }),
});
export interface ResourceClaimStatus extends Static<typeof ResourceClaimStatus> {}

export const ResourceClaim = kind(
  'resource/v1beta2.ResourceClaim',
  'resource.k8s.io/v1beta2',
  { plural: 'resourceclaims', namespaced: true },
  {
    metadata: optional(1, ObjectMeta, { go: 'ObjectMeta' }),
    spec: always(2, ResourceClaimSpec, { required: true }),
    status: optional(3, ResourceClaimStatus),
  },
  {
    defaults: [({ spec }) => defaultDeviceRequests(spec.devices?.requests)],
    columns: claimColumns,
  },
);
export interface ResourceClaim extends Static<typeof ResourceClaim> {}
