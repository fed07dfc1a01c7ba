import {
  always,
  atomicList,
  bool,
  int64,
  kind,
  map,
  nullable,
  ObjectMeta,
  oneOf,
  optional,
  pointer,
  quantity,
  string,
  struct,
  time,
  named,
} from '@coxswain/schema';
import type { Static } from '@coxswain/schema';
import { DeviceAttribute } from './device-attribute.ts';
import { NodeSelector } from '../../core/v1/node-selector.ts';
import { defaultDevices } from './device-defaults.ts';
import { nameColumn, column, ageColumn } from '../../meta/columns.ts';
import { validateSlice } from '../slice-validation.ts';
import { driverWarnings } from '../slice-warnings.ts';

export const CapacityRequestPolicyRange = struct('resource/v1.CapacityRequestPolicyRange', {
  min: pointer(1, quantity, { required: true }),
  max: pointer(2, quantity),
  step: pointer(3, quantity),
});
export interface CapacityRequestPolicyRange extends Static<typeof CapacityRequestPolicyRange> {}

export const CapacityRequestPolicy = struct('resource/v1.CapacityRequestPolicy', {
  default: nullable(1, quantity),
  validValues: optional(3, atomicList(quantity)),
  validRange: pointer(4, CapacityRequestPolicyRange),
});
export interface CapacityRequestPolicy extends Static<typeof CapacityRequestPolicy> {}

export const Counter = struct('resource/v1.Counter', {
  value: always(1, quantity, { required: true }),
});
export interface Counter extends Static<typeof Counter> {}

export const CounterSet = struct('resource/v1.CounterSet', {
  name: always(1, string, { required: true }),
  counters: optional(2, map(Counter), { required: true }),
});
export interface CounterSet extends Static<typeof CounterSet> {}

export const DeviceCapacity = struct('resource/v1.DeviceCapacity', {
  value: always(1, quantity, { required: true }),
  requestPolicy: pointer(2, CapacityRequestPolicy, { gate: 'DRAConsumableCapacity' }),
});
export interface DeviceCapacity extends Static<typeof DeviceCapacity> {}

export const DeviceCounterConsumption = struct('resource/v1.DeviceCounterConsumption', {
  counterSet: always(1, string, { required: true }),
  counters: optional(2, map(Counter), { required: true }),
});
export interface DeviceCounterConsumption extends Static<typeof DeviceCounterConsumption> {}

export const DeviceTaint = struct('resource/v1.DeviceTaint', {
  key: always(1, string, { required: true }),
  value: optional(2, string),
  effect: always(3, named('v1.DeviceTaintEffect', oneOf(['None', 'NoSchedule', 'NoExecute'])), {
    required: true,
  }),
  timeAdded: pointer(4, time),
});
export interface DeviceTaint extends Static<typeof DeviceTaint> {}

export const NodeAllocatableResourceMapping = struct('resource/v1.NodeAllocatableResourceMapping', {
  capacityKey: pointer(1, named('v1.QualifiedName', string)),
  allocationMultiplier: pointer(2, quantity),
});
export interface NodeAllocatableResourceMapping extends Static<typeof NodeAllocatableResourceMapping> {}

export const Device = struct('resource/v1.Device', {
  name: always(1, string, { required: true }),
  attributes: optional(2, named('map[v1.QualifiedName]v1.DeviceAttribute', map(DeviceAttribute))),
  capacity: optional(3, named('map[v1.QualifiedName]v1.DeviceCapacity', map(DeviceCapacity))),
  consumesCounters: optional(4, atomicList(DeviceCounterConsumption), { gate: 'DRAPartitionableDevices' }),
  nodeName: pointer(5, string, { gate: 'DRAPartitionableDevices' }),
  nodeSelector: pointer(6, NodeSelector, { gate: 'DRAPartitionableDevices' }),
  allNodes: pointer(7, bool, { gate: 'DRAPartitionableDevices' }),
  taints: optional(8, atomicList(DeviceTaint), { gate: 'DRADeviceTaints' }),
  bindsToNode: pointer(9, bool, { gate: 'DRADeviceBindingConditions' }),
  bindingConditions: optional(10, atomicList(string), { gate: 'DRADeviceBindingConditions' }),
  bindingFailureConditions: optional(11, atomicList(string), { gate: 'DRADeviceBindingConditions' }),
  allowMultipleAllocations: pointer(12, bool, { gate: 'DRAConsumableCapacity' }),
  nodeAllocatableResourceMappings: optional(
    13,
    named('map[v1.ResourceName]v1.NodeAllocatableResourceMapping', map(NodeAllocatableResourceMapping)),
    {
      gate: 'DRANodeAllocatableResources',
    },
  ),
});
export interface Device extends Static<typeof Device> {}

export const ResourcePool = struct('resource/v1.ResourcePool', {
  name: always(1, string, { required: true }),
  generation: always(2, int64, { required: true }),
  resourceSliceCount: always(3, int64, { required: true }),
});
export interface ResourcePool extends Static<typeof ResourcePool> {}

export const ResourceSliceSpec = struct('resource/v1.ResourceSliceSpec', {
  driver: always(1, string, { required: true }),
  pool: always(2, ResourcePool, { required: true }),
  nodeName: pointer(3, string),
  nodeSelector: pointer(4, NodeSelector),
  allNodes: pointer(5, bool),
  devices: optional(6, atomicList(Device)),
  perDeviceNodeSelection: pointer(7, bool, { gate: 'DRAPartitionableDevices' }),
  sharedCounters: optional(8, atomicList(CounterSet), { gate: 'DRAPartitionableDevices' }),
});
export interface ResourceSliceSpec extends Static<typeof ResourceSliceSpec> {}

export const ResourceSlice = kind(
  'resource/v1.ResourceSlice',
  'resource.k8s.io/v1',
  { plural: 'resourceslices', namespaced: false },
  {
    metadata: optional(1, ObjectMeta, { go: 'ObjectMeta' }),
    spec: always(2, ResourceSliceSpec, { required: true }),
  },
  {
    defaults: [({ spec }, nowMs) => defaultDevices(spec.devices, nowMs)],
    validate: validateSlice,
    warnings: driverWarnings,
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
export interface ResourceSlice extends Static<typeof ResourceSlice> {}
