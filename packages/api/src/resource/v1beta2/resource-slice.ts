import * as t from '@coxswain/schema';
import { defaultDevices } from '../v1/device-defaults.ts';
import { nameColumn, column, ageColumn } from '../../meta/columns.ts';
import { driverWarnings } from '../slice-warnings.ts';
import * as v1 from '../v1/index.ts';

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
  { fields: { spec: t.always(2, ResourceSliceSpec, { required: true }) } },
  {
    defaults: [({ spec }, nowMs) => defaultDevices(spec.devices, nowMs)],
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
export interface ResourceSlice extends t.Static<typeof ResourceSlice> {}
