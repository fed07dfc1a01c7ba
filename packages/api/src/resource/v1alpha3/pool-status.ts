import * as t from '@coxswain/schema';
import { Condition } from '../../meta/v1/condition.ts';

export const PoolStatus = t.struct('resource/v1alpha3.PoolStatus', {
  driver: t.optional(1, t.string, { required: true }),
  poolName: t.optional(2, t.string, { required: true }),
  generation: t.always(9, t.int64, { required: true }),
  resourceSliceCount: t.pointer(8, t.int32),
  totalDevices: t.pointer(4, t.int32),
  allocatedDevices: t.pointer(5, t.int32),
  availableDevices: t.pointer(6, t.int32),
  unavailableDevices: t.pointer(7, t.int32),
  nodeName: t.pointer(3, t.string),
  validationError: t.pointer(10, t.string),
});
export interface PoolStatus extends t.Static<typeof PoolStatus> {}

export const ResourcePoolStatusRequestStatus = t.struct('resource/v1alpha3.ResourcePoolStatusRequestStatus', {
  poolCount: t.pointer(6, t.int32, { required: true }),
  pools: t.optional(2, t.atomicList(PoolStatus)),
  conditions: t.optional(3, t.listMap(Condition, ['type']), { patch: 'merge', patchKey: 'type' }),
});
export interface ResourcePoolStatusRequestStatus extends t.Static<typeof ResourcePoolStatusRequestStatus> {}
