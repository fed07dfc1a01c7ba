import * as t from '@coxswain/schema';
import { DeviceAttribute } from './device-attribute.ts';
import { NodeSelector } from '../../core/v1/node-selector.ts';

export const CapacityRequestPolicyRange = t.struct('resource/v1.CapacityRequestPolicyRange', {
  min: t.pointer(1, t.quantity, { required: true }),
  max: t.pointer(2, t.quantity),
  step: t.pointer(3, t.quantity),
});
export interface CapacityRequestPolicyRange extends t.Static<typeof CapacityRequestPolicyRange> {}

export const CapacityRequestPolicy = t.struct('resource/v1.CapacityRequestPolicy', {
  default: t.nullable(1, t.quantity),
  validValues: t.optional(3, t.atomicList(t.quantity)),
  validRange: t.pointer(4, CapacityRequestPolicyRange),
});
export interface CapacityRequestPolicy extends t.Static<typeof CapacityRequestPolicy> {}

export const Counter = t.struct('resource/v1.Counter', {
  value: t.always(1, t.quantity, { required: true }),
});
export interface Counter extends t.Static<typeof Counter> {}

export const CounterSet = t.struct('resource/v1.CounterSet', {
  name: t.always(1, t.string, { required: true }),
  counters: t.optional(2, t.map(Counter), { required: true }),
});
export interface CounterSet extends t.Static<typeof CounterSet> {}

export const DeviceCapacity = t.struct('resource/v1.DeviceCapacity', {
  value: t.always(1, t.quantity, { required: true }),
  requestPolicy: t.pointer(2, CapacityRequestPolicy, { gate: 'DRAConsumableCapacity' }),
});
export interface DeviceCapacity extends t.Static<typeof DeviceCapacity> {}

export const DeviceCounterConsumption = t.struct('resource/v1.DeviceCounterConsumption', {
  counterSet: t.always(1, t.string, { required: true }),
  counters: t.optional(2, t.map(Counter), { required: true }),
});
export interface DeviceCounterConsumption extends t.Static<typeof DeviceCounterConsumption> {}

export const DeviceTaint = t.struct('resource/v1.DeviceTaint', {
  key: t.always(1, t.string, { required: true }),
  value: t.optional(2, t.string),
  effect: t.always(3, t.named('v1.DeviceTaintEffect', t.oneOf(['None', 'NoSchedule', 'NoExecute'])), {
    required: true,
  }),
  timeAdded: t.pointer(4, t.time),
});
export interface DeviceTaint extends t.Static<typeof DeviceTaint> {}

export const NodeAllocatableResourceMapping = t.struct('resource/v1.NodeAllocatableResourceMapping', {
  capacityKey: t.pointer(1, t.named('v1.QualifiedName', t.string)),
  allocationMultiplier: t.pointer(2, t.quantity),
});
export interface NodeAllocatableResourceMapping extends t.Static<typeof NodeAllocatableResourceMapping> {}

export const Device = t.struct('resource/v1.Device', {
  name: t.always(1, t.string, { required: true }),
  attributes: t.optional(2, t.named('map[v1.QualifiedName]v1.DeviceAttribute', t.map(DeviceAttribute))),
  capacity: t.optional(3, t.named('map[v1.QualifiedName]v1.DeviceCapacity', t.map(DeviceCapacity))),
  consumesCounters: t.optional(4, t.atomicList(DeviceCounterConsumption), {
    gate: 'DRAPartitionableDevices',
  }),
  nodeName: t.pointer(5, t.string, { gate: 'DRAPartitionableDevices' }),
  nodeSelector: t.pointer(6, NodeSelector, { gate: 'DRAPartitionableDevices' }),
  allNodes: t.pointer(7, t.bool, { gate: 'DRAPartitionableDevices' }),
  taints: t.optional(8, t.atomicList(DeviceTaint), { gate: 'DRADeviceTaints' }),
  bindsToNode: t.pointer(9, t.bool, { gate: 'DRADeviceBindingConditions' }),
  bindingConditions: t.optional(10, t.atomicList(t.string), { gate: 'DRADeviceBindingConditions' }),
  bindingFailureConditions: t.optional(11, t.atomicList(t.string), { gate: 'DRADeviceBindingConditions' }),
  allowMultipleAllocations: t.pointer(12, t.bool, { gate: 'DRAConsumableCapacity' }),
  nodeAllocatableResourceMappings: t.optional(
    13,
    t.named('map[v1.ResourceName]v1.NodeAllocatableResourceMapping', t.map(NodeAllocatableResourceMapping)),
    {
      gate: 'DRANodeAllocatableResources',
    },
  ),
});
export interface Device extends t.Static<typeof Device> {}
