import {
  always,
  atomicList,
  int32,
  int64,
  kind,
  listMap,
  ObjectMeta,
  optional,
  pointer,
  string,
  struct,
} from '@coxswain/schema';
import type { Static } from '@coxswain/schema';
import { Condition } from '../../meta/v1/condition.ts';
import {
  validatePoolStatusRequest,
  validatePoolStatusRequestStatus,
} from '../pool-status-request-validation.ts';
import { poolStatusColumns } from './resource-pool-status-request-columns.ts';

export const PoolStatus = struct('resource/v1alpha3.PoolStatus', {
  driver: optional(1, string, { required: true }),
  poolName: optional(2, string, { required: true }),
  generation: always(9, int64, { required: true }),
  resourceSliceCount: pointer(8, int32),
  totalDevices: pointer(4, int32),
  allocatedDevices: pointer(5, int32),
  availableDevices: pointer(6, int32),
  unavailableDevices: pointer(7, int32),
  nodeName: pointer(3, string),
  validationError: pointer(10, string),
});
export interface PoolStatus extends Static<typeof PoolStatus> {}

export const ResourcePoolStatusRequestSpec = struct('resource/v1alpha3.ResourcePoolStatusRequestSpec', {
  driver: always(1, string, { required: true }),
  poolName: pointer(2, string),
  limit: pointer(3, int32, { default: 100, defaultPublished: true }),
});
export interface ResourcePoolStatusRequestSpec extends Static<typeof ResourcePoolStatusRequestSpec> {}

export const ResourcePoolStatusRequestStatus = struct('resource/v1alpha3.ResourcePoolStatusRequestStatus', {
  poolCount: pointer(6, int32, { required: true }),
  pools: optional(2, atomicList(PoolStatus)),
  conditions: optional(3, listMap(Condition, ['type']), { patch: 'merge', patchKey: 'type' }),
});
export interface ResourcePoolStatusRequestStatus extends Static<typeof ResourcePoolStatusRequestStatus> {}

export const ResourcePoolStatusRequest = kind(
  'resource/v1alpha3.ResourcePoolStatusRequest',
  'resource.k8s.io/v1alpha3',
  { plural: 'resourcepoolstatusrequests', namespaced: false },
  {
    metadata: optional(1, ObjectMeta, { required: true, go: 'ObjectMeta' }),
    spec: always(2, ResourcePoolStatusRequestSpec, { required: true }),
    status: pointer(3, ResourcePoolStatusRequestStatus),
  },
  {
    validate: validatePoolStatusRequest,
    validateStatus: validatePoolStatusRequestStatus,
    columns: poolStatusColumns,
  },
);
export interface ResourcePoolStatusRequest extends Static<typeof ResourcePoolStatusRequest> {}
