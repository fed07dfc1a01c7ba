import * as t from '@coxswain/schema';

export const OpaqueDeviceConfiguration = t.struct('resource/v1.OpaqueDeviceConfiguration', {
  driver: t.always(1, t.string, { required: true }),
  parameters: t.always(2, t.rawExtension, { required: true }),
});
export interface OpaqueDeviceConfiguration extends t.Static<typeof OpaqueDeviceConfiguration> {}

export const DeviceConfiguration = t.struct('resource/v1.DeviceConfiguration', {
  opaque: t.pointer(1, OpaqueDeviceConfiguration),
});
export interface DeviceConfiguration extends t.Static<typeof DeviceConfiguration> {}
