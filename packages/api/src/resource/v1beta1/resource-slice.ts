import * as t from '@coxswain/schema';
import { NodeSelector } from '../../core/v1/node-selector.ts';
import { defaultDevices } from '../v1/device-defaults.ts';
import { nameColumn, column, ageColumn } from '../../meta/columns.ts';

export const DeviceAttribute = t.struct('resource/v1beta1.DeviceAttribute', {
  int: t.pointer(2, t.int64, { go: 'IntValue' }),
  bool: t.pointer(3, t.bool, { go: 'BoolValue' }),
  string: t.pointer(4, t.string, { go: 'StringValue' }),
  version: t.pointer(5, t.string, { go: 'VersionValue' }),
  ints: t.optional(6, t.atomicList(t.int64), { go: 'IntValues', gate: 'DRAListTypeAttributes' }),
  bools: t.optional(7, t.atomicList(t.bool), { go: 'BoolValues', gate: 'DRAListTypeAttributes' }),
  strings: t.optional(8, t.atomicList(t.string), { go: 'StringValues', gate: 'DRAListTypeAttributes' }),
  versions: t.optional(9, t.atomicList(t.string), { go: 'VersionValues', gate: 'DRAListTypeAttributes' }),
});
export interface DeviceAttribute extends t.Static<typeof DeviceAttribute> {}

export const CapacityRequestPolicyRange = t.struct('resource/v1beta1.CapacityRequestPolicyRange', {
  min: t.pointer(1, t.quantity, { required: true }),
  max: t.pointer(2, t.quantity),
  step: t.pointer(3, t.quantity),
});
export interface CapacityRequestPolicyRange extends t.Static<typeof CapacityRequestPolicyRange> {}

export const CapacityRequestPolicy = t.struct('resource/v1beta1.CapacityRequestPolicy', {
  default: t.nullable(1, t.quantity),
  validValues: t.optional(3, t.atomicList(t.quantity)),
  validRange: t.pointer(4, CapacityRequestPolicyRange),
});
export interface CapacityRequestPolicy extends t.Static<typeof CapacityRequestPolicy> {}

export const DeviceCapacity = t.struct('resource/v1beta1.DeviceCapacity', {
  value: t.always(1, t.quantity, { required: true }),
  requestPolicy: t.pointer(2, CapacityRequestPolicy, { gate: 'DRAConsumableCapacity' }),
});
export interface DeviceCapacity extends t.Static<typeof DeviceCapacity> {}

export const Counter = t.struct('resource/v1beta1.Counter', {
  value: t.always(1, t.quantity, { required: true }),
});
export interface Counter extends t.Static<typeof Counter> {}

export const DeviceCounterConsumption = t.struct('resource/v1beta1.DeviceCounterConsumption', {
  counterSet: t.always(1, t.string, { required: true }),
  counters: t.optional(2, t.map(Counter), { required: true }),
});
export interface DeviceCounterConsumption extends t.Static<typeof DeviceCounterConsumption> {}

export const DeviceTaint = t.struct('resource/v1beta1.DeviceTaint', {
  key: t.always(1, t.string, { required: true }),
  value: t.optional(2, t.string),
  effect: t.always(3, t.named('v1beta1.DeviceTaintEffect', t.oneOf(['None', 'NoSchedule', 'NoExecute'])), {
    required: true,
  }),
  timeAdded: t.pointer(4, t.time),
});
export interface DeviceTaint extends t.Static<typeof DeviceTaint> {}

export const NodeAllocatableResourceMapping = t.struct('resource/v1beta1.NodeAllocatableResourceMapping', {
  capacityKey: t.pointer(1, t.named('v1beta1.QualifiedName', t.string)),
  allocationMultiplier: t.pointer(2, t.quantity),
});
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

export const CounterSet = t.struct('resource/v1beta1.CounterSet', {
  name: t.always(1, t.string, { required: true }),
  counters: t.optional(2, t.map(Counter), { required: true }),
});
export interface CounterSet extends t.Static<typeof CounterSet> {}

export const Device = t.struct('resource/v1beta1.Device', {
  name: t.always(1, t.string, { required: true }),
  basic: t.pointer(2, BasicDevice),
});
export interface Device extends t.Static<typeof Device> {}

export const ResourcePool = t.struct('resource/v1beta1.ResourcePool', {
  name: t.always(1, t.string, { required: true }),
  generation: t.always(2, t.int64, { required: true }),
  resourceSliceCount: t.always(3, t.int64, { required: true }),
});
export interface ResourcePool extends t.Static<typeof ResourcePool> {}

export const ResourceSliceSpec = t.struct('resource/v1beta1.ResourceSliceSpec', {
  driver: t.always(1, t.string, { required: true }),
  pool: t.always(2, ResourcePool, { required: true }),
  nodeName: t.optional(3, t.string),
  nodeSelector: t.pointer(4, NodeSelector),
  allNodes: t.optional(5, t.bool),
  devices: t.optional(6, t.atomicList(Device)),
  perDeviceNodeSelection: t.pointer(7, t.bool, { gate: 'DRAPartitionableDevices' }),
  sharedCounters: t.optional(8, t.atomicList(CounterSet), { gate: 'DRAPartitionableDevices' }),
});
export interface ResourceSliceSpec extends t.Static<typeof ResourceSliceSpec> {}

export const ResourceSlice = t.kind(
  'resource/v1beta1.ResourceSlice',
  'resource.k8s.io/v1beta1',
  { plural: 'resourceslices', namespaced: false },
  {
    metadata: t.optional(1, t.ObjectMeta, { go: 'ObjectMeta' }),
    spec: t.always(2, ResourceSliceSpec, { required: true }),
  },
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
