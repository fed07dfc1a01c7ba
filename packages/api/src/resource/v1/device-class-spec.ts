import * as t from '@coxswain/schema';
import { DeviceConfiguration } from './device-configuration.ts';
import { DeviceSelector } from './device-selector.ts';

export const DeviceClassConfiguration = t.struct('resource/v1.DeviceClassConfiguration', {
  deviceConfiguration: t.embedded(1, DeviceConfiguration),
});
export interface DeviceClassConfiguration extends t.Static<typeof DeviceClassConfiguration> {}

export const DeviceClassSpec = t.struct('resource/v1.DeviceClassSpec', {
  selectors: t.optional(1, t.atomicList(DeviceSelector)),
  config: t.optional(2, t.atomicList(DeviceClassConfiguration)),
  extendedResourceName: t.pointer(4, t.string, { gate: 'DRAExtendedResource' }),
});
export interface DeviceClassSpec extends t.Static<typeof DeviceClassSpec> {}
