import * as t from '@coxswain/schema';
import { DeviceConfiguration } from './device-configuration.ts';
import { DeviceSelector } from './device-selector.ts';
import { nameColumn, ageColumn } from '../../meta/columns.ts';
import { validateDeviceClass } from '../device-class-validation.ts';

export const DeviceClassConfiguration = t.struct('resource/v1beta2.DeviceClassConfiguration', {
  deviceConfiguration: t.embedded(1, DeviceConfiguration),
});
export interface DeviceClassConfiguration extends t.Static<typeof DeviceClassConfiguration> {}

export const DeviceClassSpec = t.struct('resource/v1beta2.DeviceClassSpec', {
  selectors: t.optional(1, t.atomicList(DeviceSelector)),
  config: t.optional(2, t.atomicList(DeviceClassConfiguration)),
  extendedResourceName: t.pointer(4, t.string, { gate: 'DRAExtendedResource' }),
});
export interface DeviceClassSpec extends t.Static<typeof DeviceClassSpec> {}

export const DeviceClass = t.kind(
  'resource/v1beta2.DeviceClass',
  'resource.k8s.io/v1beta2',
  { plural: 'deviceclasses', namespaced: false },
  {
    metadata: t.optional(1, t.ObjectMeta, { go: 'ObjectMeta' }),
    spec: t.always(2, DeviceClassSpec, { required: true }),
  },
  {
    validate: validateDeviceClass,
    columns: [nameColumn, ageColumn],
  },
);
export interface DeviceClass extends t.Static<typeof DeviceClass> {}
