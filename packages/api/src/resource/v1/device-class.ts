import {
  always,
  atomicList,
  embedded,
  kind,
  ObjectMeta,
  optional,
  pointer,
  string,
  struct,
} from '@coxswain/schema';
import type { Static } from '@coxswain/schema';
import { DeviceConfiguration } from './device-configuration.ts';
import { DeviceSelector } from './device-selector.ts';
import { nameColumn, ageColumn } from '../../meta/columns.ts';
import { validateDeviceClass } from '../device-class-validation.ts';

export const DeviceClassConfiguration = struct('resource/v1.DeviceClassConfiguration', {
  deviceConfiguration: embedded(1, DeviceConfiguration),
});
export interface DeviceClassConfiguration extends Static<typeof DeviceClassConfiguration> {}

export const DeviceClassSpec = struct('resource/v1.DeviceClassSpec', {
  selectors: optional(1, atomicList(DeviceSelector)),
  config: optional(2, atomicList(DeviceClassConfiguration)),
  extendedResourceName: pointer(4, string, { gate: 'DRAExtendedResource' }),
});
export interface DeviceClassSpec extends Static<typeof DeviceClassSpec> {}

export const DeviceClass = kind(
  'resource/v1.DeviceClass',
  'resource.k8s.io/v1',
  { plural: 'deviceclasses', namespaced: false },
  {
    metadata: optional(1, ObjectMeta, { go: 'ObjectMeta' }),
    spec: always(2, DeviceClassSpec, { required: true }),
  },
  {
    validate: validateDeviceClass,
    columns: [nameColumn, ageColumn],
  },
);
export interface DeviceClass extends Static<typeof DeviceClass> {}
