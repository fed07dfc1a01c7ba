import * as t from '@coxswain/schema';
import { NodeSelector } from '../../core/v1/node-selector.ts';
import { CounterSet, Device } from './device.ts';

export const ResourcePool = t.struct('resource/v1.ResourcePool', {
  name: t.always(1, t.string, { required: true }),
  generation: t.always(2, t.int64, { required: true }),
  resourceSliceCount: t.always(3, t.int64, { required: true }),
});
export interface ResourcePool extends t.Static<typeof ResourcePool> {}

export const ResourceSliceSpec = t.struct('resource/v1.ResourceSliceSpec', {
  driver: t.always(1, t.string, { required: true }),
  pool: t.always(2, ResourcePool, { required: true }),
  nodeName: t.pointer(3, t.string),
  nodeSelector: t.pointer(4, NodeSelector),
  allNodes: t.pointer(5, t.bool),
  devices: t.optional(6, t.atomicList(Device)),
  perDeviceNodeSelection: t.pointer(7, t.bool, { gate: 'DRAPartitionableDevices' }),
  sharedCounters: t.optional(8, t.atomicList(CounterSet), { gate: 'DRAPartitionableDevices' }),
});
export interface ResourceSliceSpec extends t.Static<typeof ResourceSliceSpec> {}
