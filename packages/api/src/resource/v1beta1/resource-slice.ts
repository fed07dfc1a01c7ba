import * as t from '@coxswain/schema';
import { NodeSelector } from '../../core/v1/node-selector.ts';
import { defaultDevices } from '../v1/device-defaults.ts';
import { nameColumn, column, ageColumn } from '../../meta/columns.ts';
import * as v1beta2 from '../v1beta2/index.ts';

export const DeviceAttribute = t.structIn('resource/v1beta1', v1beta2.DeviceAttribute);
export interface DeviceAttribute extends t.Static<typeof DeviceAttribute> {}

export const DeviceCapacity = t.structIn('resource/v1beta1', v1beta2.DeviceCapacity);
export interface DeviceCapacity extends t.Static<typeof DeviceCapacity> {}

export const DeviceCounterConsumption = t.structIn('resource/v1beta1', v1beta2.DeviceCounterConsumption);
export interface DeviceCounterConsumption extends t.Static<typeof DeviceCounterConsumption> {}

export const DeviceTaint = t.structIn('resource/v1beta1', v1beta2.DeviceTaint);
export interface DeviceTaint extends t.Static<typeof DeviceTaint> {}

export const NodeAllocatableResourceMapping = t.structIn(
  'resource/v1beta1',
  v1beta2.NodeAllocatableResourceMapping,
);
export interface NodeAllocatableResourceMapping extends t.Static<typeof NodeAllocatableResourceMapping> {}

export const BasicDevice = t.struct('resource/v1beta1.BasicDevice', {
  attributes: t.optional(
    1,
    t.named('map[v1beta1.QualifiedName]v1beta1.DeviceAttribute', t.map(DeviceAttribute)),
  ),
  capacity: t.optional(2, t.named('map[v1beta1.QualifiedName]v1beta1.DeviceCapacity', t.map(DeviceCapacity))),
  consumesCounters: t.optional(3, t.atomicList(DeviceCounterConsumption), {
    gate: 'DRAPartitionableDevices',
  }),
  nodeName: t.pointer(4, t.string, { gate: 'DRAPartitionableDevices' }),
  nodeSelector: t.pointer(5, NodeSelector),
  allNodes: t.pointer(6, t.bool, { gate: 'DRAPartitionableDevices' }),
  taints: t.optional(7, t.atomicList(DeviceTaint), { gate: 'DRADeviceTaints' }),
  bindsToNode: t.pointer(8, t.bool, { gate: 'DRADeviceBindingConditions' }),
  bindingConditions: t.optional(9, t.atomicList(t.string), { gate: 'DRADeviceBindingConditions' }),
  bindingFailureConditions: t.optional(10, t.atomicList(t.string), { gate: 'DRADeviceBindingConditions' }),
  allowMultipleAllocations: t.pointer(11, t.bool, { gate: 'DRAConsumableCapacity' }),
  nodeAllocatableResourceMappings: t.optional(
    12,
    t.named(
      'map[v1.ResourceName]v1beta1.NodeAllocatableResourceMapping',
      t.map(NodeAllocatableResourceMapping),
    ),
    {
      gate: 'DRANodeAllocatableResources',
    },
  ),
});
export interface BasicDevice extends t.Static<typeof BasicDevice> {}

export const Device = t.struct('resource/v1beta1.Device', {
  name: t.always(1, t.string, { required: true }),
  basic: t.pointer(2, BasicDevice),
});
export interface Device extends t.Static<typeof Device> {}

export const ResourceSliceSpec = t.structIn('resource/v1beta1', v1beta2.ResourceSliceSpec, {
  fields: {
    nodeName: t.optional(3, t.string),
    allNodes: t.optional(5, t.bool),
    devices: t.optional(6, t.atomicList(Device)),
  },
});
export interface ResourceSliceSpec extends t.Static<typeof ResourceSliceSpec> {}

export const ResourceSlice = t.kindIn(
  'resource/v1beta1',
  v1beta2.ResourceSlice,
  { fields: { spec: t.always(2, ResourceSliceSpec, { required: true }) } },
  {
    defaults: [({ spec }, nowMs) => defaultDevices(spec.devices, nowMs)],
    columns: [
      nameColumn,
      column('Node', ({ spec }) => spec?.nodeName ?? ''),
      column('Driver', ({ spec }) => spec?.driver ?? ''),
      column('Pool', ({ spec }) => spec?.pool?.name ?? ''),
      ageColumn,
    ],
    selectableFields: {
      'spec.nodeName': ({ spec }) => spec?.nodeName ?? '',
      'spec.driver': ({ spec }) => spec?.driver ?? '',
    },
    metadataSelectors: 'gvkNamed',
  },
);
export interface ResourceSlice extends t.Static<typeof ResourceSlice> {}
