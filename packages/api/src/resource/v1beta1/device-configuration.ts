import { always, pointer, rawExtension, string, struct } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';

export const OpaqueDeviceConfiguration = struct('resource/v1beta1.OpaqueDeviceConfiguration', {
  driver: always(1, string, { required: true }),
  parameters: always(2, rawExtension, { required: true }),
});
export interface OpaqueDeviceConfiguration extends Static<typeof OpaqueDeviceConfiguration> {}

export const DeviceConfiguration = struct('resource/v1beta1.DeviceConfiguration', {
  opaque: pointer(1, OpaqueDeviceConfiguration),
});
export interface DeviceConfiguration extends Static<typeof DeviceConfiguration> {}
