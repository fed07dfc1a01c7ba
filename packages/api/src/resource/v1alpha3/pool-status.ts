import {
  always,
  atomicList,
  int32,
  int64,
  listMap,
  optional,
  pointer,
  string,
  struct,
} from '@coxswain/schema';
import type { Static } from '@coxswain/schema';
import { Condition } from '../../meta/v1/condition.ts';

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

export const ResourcePoolStatusRequestStatus = struct('resource/v1alpha3.ResourcePoolStatusRequestStatus', {
  poolCount: pointer(6, int32, { required: true }),
  pools: optional(2, atomicList(PoolStatus)),
  conditions: optional(3, listMap(Condition, ['type']), { patch: 'merge', patchKey: 'type' }),
});
export interface ResourcePoolStatusRequestStatus extends Static<typeof ResourcePoolStatusRequestStatus> {}
