import {
  always,
  atomicList,
  kind,
  listMap,
  ObjectMeta,
  optional,
  pointer,
  rawExtension,
  string,
  struct,
  named,
} from '@coxswain/schema';
import type { Static } from '@coxswain/schema';
import { AllocationResult } from './allocation-result.ts';
import { Condition } from '../../meta/v1/condition.ts';
import { ResourceClaimSpec } from './resource-claim-spec.ts';
import { defaultDeviceRequests } from './device-defaults.ts';
import { claimColumns } from './resource-claim-columns.ts';
import { validateClaimStatus } from '../claim-status-validation.ts';
import { validateClaim } from '../claim-validation.ts';

export const NetworkDeviceData = struct('resource/v1.NetworkDeviceData', {
  interfaceName: optional(1, string),
  ips: optional(2, atomicList(string), { go: 'IPs' }),
  hardwareAddress: optional(3, string),
});
export interface NetworkDeviceData extends Static<typeof NetworkDeviceData> {}

export const AllocatedDeviceStatus = struct('resource/v1.AllocatedDeviceStatus', {
  driver: always(1, string, { required: true }),
  pool: always(2, string, { required: true }),
  device: always(3, string, { required: true }),
  shareID: pointer(7, string, { gate: 'DRAConsumableCapacity' }),
  conditions: always(4, listMap(Condition, ['type'])),
  data: pointer(5, rawExtension),
  networkData: pointer(6, NetworkDeviceData),
});
export interface AllocatedDeviceStatus extends Static<typeof AllocatedDeviceStatus> {}

export const ResourceClaimConsumerReference = struct('resource/v1.ResourceClaimConsumerReference', {
  apiGroup: optional(1, string, { go: 'APIGroup' }),
  resource: always(3, string, { required: true }),
  name: always(4, string, { required: true }),
  uid: always(5, named('types.UID', string), { required: true, go: 'UID' }),
});
export interface ResourceClaimConsumerReference extends Static<typeof ResourceClaimConsumerReference> {}

export const ResourceClaimStatus = struct('resource/v1.ResourceClaimStatus', {
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
  'resource/v1.ResourceClaim',
  'resource.k8s.io/v1',
  { plural: 'resourceclaims', namespaced: true },
  {
    metadata: optional(1, ObjectMeta, { go: 'ObjectMeta' }),
    spec: always(2, ResourceClaimSpec, { required: true }),
    status: optional(3, ResourceClaimStatus),
  },
  {
    defaults: [({ spec }) => defaultDeviceRequests(spec.devices?.requests)],
    validate: validateClaim,
    validateStatus: validateClaimStatus,
    columns: claimColumns,
  },
);
export interface ResourceClaim extends Static<typeof ResourceClaim> {}
