import * as t from '@coxswain/schema';
import { NodeSelector } from '../core/v1/node-selector.ts';
import { nameColumn, ageColumn, column } from '../meta/columns.ts';
import { defaultDeviceRequests, defaultDevices } from './v1/device-defaults.ts';
import * as v1beta2 from './v1beta2.ts';

export const DeviceClass = t.kindIn('resource/v1beta1', v1beta2.DeviceClass, { shared: ['columns'] });
export interface DeviceClass extends t.Static<typeof DeviceClass> {}

export const DeviceSelector = t.structIn('resource/v1beta1', v1beta2.DeviceSelector);
export interface DeviceSelector extends t.Static<typeof DeviceSelector> {}

export const DeviceToleration = t.structIn('resource/v1beta1', v1beta2.DeviceToleration);
export interface DeviceToleration extends t.Static<typeof DeviceToleration> {}

export const CapacityRequirements = t.structIn('resource/v1beta1', v1beta2.CapacityRequirements);
export interface CapacityRequirements extends t.Static<typeof CapacityRequirements> {}

export const DeviceSubRequest = t.structIn('resource/v1beta1', v1beta2.DeviceSubRequest, {
  fields: {
    tolerations: t.optional(7, t.atomicList(DeviceToleration), { gate: 'DRADeviceTaints' }),
    capacity: t.pointer(8, CapacityRequirements, { gate: 'DRAConsumableCapacity' }),
  },
});
export interface DeviceSubRequest extends t.Static<typeof DeviceSubRequest> {}

export const DeviceRequest = t.struct('resource/v1beta1.DeviceRequest', {
  name: t.always(1, t.string, { required: true }),
  deviceClassName: t.always(2, t.string),
  selectors: t.optional(3, t.atomicList(DeviceSelector)),
  allocationMode: t.optional(4, t.named('v1beta1.DeviceAllocationMode', t.oneOf(['ExactCount', 'All']))),
  count: t.optional(5, t.int64),
  adminAccess: t.pointer(6, t.bool, { gate: 'DRAAdminAccess' }),
  firstAvailable: t.optional(7, t.atomicList(DeviceSubRequest), { gate: 'DRAPrioritizedList' }),
  tolerations: t.optional(8, t.atomicList(DeviceToleration), { gate: 'DRADeviceTaints' }),
  capacity: t.pointer(9, CapacityRequirements, { gate: 'DRAConsumableCapacity' }),
});
export interface DeviceRequest extends t.Static<typeof DeviceRequest> {}

export const DeviceClaim = t.structIn('resource/v1beta1', v1beta2.DeviceClaim, {
  fields: { requests: t.always(1, t.atomicList(DeviceRequest)) },
});
export interface DeviceClaim extends t.Static<typeof DeviceClaim> {}

export const ResourceClaimSpec = t.struct('resource/v1beta1.ResourceClaimSpec', {
  devices: t.always(1, DeviceClaim),
});
export interface ResourceClaimSpec extends t.Static<typeof ResourceClaimSpec> {}

export const ResourceClaim = t.kindIn(
  'resource/v1beta1',
  v1beta2.ResourceClaim,
  { fields: { spec: t.always(2, ResourceClaimSpec, { required: true }) }, shared: ['columns'] },
  { defaults: [({ spec }) => defaultDeviceRequests(spec.devices?.requests)] },
);
export interface ResourceClaim extends t.Static<typeof ResourceClaim> {}

export const ResourceClaimTemplateSpec = t.structIn('resource/v1beta1', v1beta2.ResourceClaimTemplateSpec, {
  fields: { spec: t.always(2, ResourceClaimSpec, { required: true }) },
});
export interface ResourceClaimTemplateSpec extends t.Static<typeof ResourceClaimTemplateSpec> {}

export const ResourceClaimTemplate = t.kindIn(
  'resource/v1beta1',
  v1beta2.ResourceClaimTemplate,
  { fields: { spec: t.always(2, ResourceClaimTemplateSpec, { required: true }) } },
  {
    defaults: [({ spec }) => defaultDeviceRequests(spec.spec?.devices?.requests)],
    columns: [nameColumn, ageColumn],
  },
);
export interface ResourceClaimTemplate extends t.Static<typeof ResourceClaimTemplate> {}

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
  { fields: { spec: t.always(2, ResourceSliceSpec, { required: true }) }, shared: ['metadataSelectors'] },
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
  },
);
export interface ResourceSlice extends t.Static<typeof ResourceSlice> {}
