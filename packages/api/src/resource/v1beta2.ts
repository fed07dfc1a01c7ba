import { timeSince } from '@coxswain/apimachinery/human-duration.ts';
import * as t from '@coxswain/schema';
import { nameColumn, column, ageColumn } from '../meta/columns.ts';
import { Condition } from '../meta/v1/condition.ts';
import { validateTaintRule, validateTaintRuleStatus } from './taint-validation.ts';
import { defaultTaint, defaultDevices } from './v1/device-defaults.ts';
import * as v1 from './v1/index.ts';

export const DeviceClass = t.kindIn('resource/v1beta2', v1.DeviceClass, { shared: ['validate', 'columns'] });
export interface DeviceClass extends t.Static<typeof DeviceClass> {}

export const DeviceSelector = t.structIn('resource/v1beta2', v1.DeviceSelector);
export interface DeviceSelector extends t.Static<typeof DeviceSelector> {}

export const DeviceTaint = t.structIn('resource/v1beta2', v1.DeviceTaint);
export interface DeviceTaint extends t.Static<typeof DeviceTaint> {}

export const DeviceTaintSelector = t.struct('resource/v1beta2.DeviceTaintSelector', {
  driver: t.pointer(2, t.string),
  pool: t.pointer(3, t.string),
  device: t.pointer(4, t.string),
});
export interface DeviceTaintSelector extends t.Static<typeof DeviceTaintSelector> {}

export const DeviceTaintRuleSpec = t.struct('resource/v1beta2.DeviceTaintRuleSpec', {
  deviceSelector: t.pointer(1, DeviceTaintSelector),
  taint: t.optional(2, DeviceTaint, { required: true }),
});
export interface DeviceTaintRuleSpec extends t.Static<typeof DeviceTaintRuleSpec> {}

export const DeviceTaintRuleStatus = t.struct('resource/v1beta2.DeviceTaintRuleStatus', {
  conditions: t.optional(1, t.listMap(Condition, ['type']), { patch: 'merge', patchKey: 'type' }),
});
export interface DeviceTaintRuleStatus extends t.Static<typeof DeviceTaintRuleStatus> {}

export const DeviceTaintRule = t.kind(
  'resource/v1beta2.DeviceTaintRule',
  'resource.k8s.io/v1beta2',
  { plural: 'devicetaintrules', namespaced: false },
  {
    metadata: t.optional(1, t.ObjectMeta, { go: 'ObjectMeta' }),
    spec: t.always(2, DeviceTaintRuleSpec, { required: true }),
    status: t.optional(3, DeviceTaintRuleStatus),
  },
  {
    defaults: [({ spec }, nowMs) => defaultTaint(spec.taint, nowMs)],
    validate: validateTaintRule,
    validateStatus: validateTaintRuleStatus,
    columns: [
      nameColumn,
      column('Key', ({ spec }) => spec?.taint?.key ?? ''),
      column('Value', ({ spec }) => spec?.taint?.value ?? ''),
      column('Effect', ({ spec }) => spec?.taint?.effect ?? ''),
      column('TimeAdded', ({ spec }, nowMs) =>
        spec?.taint?.timeAdded ? timeSince(spec.taint.timeAdded, nowMs) : '',
      ),
      ageColumn,
    ],
  },
);
export interface DeviceTaintRule extends t.Static<typeof DeviceTaintRule> {}

export const DeviceToleration = t.structIn('resource/v1beta2', v1.DeviceToleration);
export interface DeviceToleration extends t.Static<typeof DeviceToleration> {}

export const ResourceClaim = t.kindIn('resource/v1beta2', v1.ResourceClaim, {
  shared: ['defaults', 'columns'],
});
export interface ResourceClaim extends t.Static<typeof ResourceClaim> {}

export const CapacityRequirements = t.structIn('resource/v1beta2', v1.CapacityRequirements);
export interface CapacityRequirements extends t.Static<typeof CapacityRequirements> {}

export const DeviceSubRequest = t.structIn('resource/v1beta2', v1.DeviceSubRequest);
export interface DeviceSubRequest extends t.Static<typeof DeviceSubRequest> {}

export const DeviceClaim = t.structIn('resource/v1beta2', v1.DeviceClaim);
export interface DeviceClaim extends t.Static<typeof DeviceClaim> {}

export const ResourceClaimTemplateSpec = t.structIn('resource/v1beta2', v1.ResourceClaimTemplateSpec);
export interface ResourceClaimTemplateSpec extends t.Static<typeof ResourceClaimTemplateSpec> {}

export const ResourceClaimTemplate = t.kindIn('resource/v1beta2', v1.ResourceClaimTemplate, {
  shared: ['defaults', 'columns'],
});
export interface ResourceClaimTemplate extends t.Static<typeof ResourceClaimTemplate> {}

export const DeviceAttribute = t.structIn('resource/v1beta2', v1.DeviceAttribute);
export interface DeviceAttribute extends t.Static<typeof DeviceAttribute> {}

export const DeviceCapacity = t.structIn('resource/v1beta2', v1.DeviceCapacity);
export interface DeviceCapacity extends t.Static<typeof DeviceCapacity> {}

export const DeviceCounterConsumption = t.structIn('resource/v1beta2', v1.DeviceCounterConsumption);
export interface DeviceCounterConsumption extends t.Static<typeof DeviceCounterConsumption> {}

export const NodeAllocatableResourceMapping = t.structIn(
  'resource/v1beta2',
  v1.NodeAllocatableResourceMapping,
);
export interface NodeAllocatableResourceMapping extends t.Static<typeof NodeAllocatableResourceMapping> {}

export const Device = t.structIn('resource/v1beta2', v1.Device, {
  fields: {
    nodeAllocatableResourceMappings: t.optional(
      13,
      t.named(
        'map[v1.ResourceName]v1beta2.NodeAllocatableResourceMapping',
        t.map(NodeAllocatableResourceMapping),
      ),
      {
        gate: 'DRANodeAllocatableResources',
      },
    ),
  },
});
export interface Device extends t.Static<typeof Device> {}

export const ResourceSliceSpec = t.structIn('resource/v1beta2', v1.ResourceSliceSpec, {
  fields: { devices: t.optional(6, t.atomicList(Device)) },
});
export interface ResourceSliceSpec extends t.Static<typeof ResourceSliceSpec> {}

export const ResourceSlice = t.kindIn(
  'resource/v1beta2',
  v1.ResourceSlice,
  {
    fields: { spec: t.always(2, ResourceSliceSpec, { required: true }) },
    shared: ['warnings', 'metadataSelectors'],
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
  },
);
export interface ResourceSlice extends t.Static<typeof ResourceSlice> {}
