import { always, pointer, string, struct } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';

export const CELDeviceSelector = struct('resource/v1alpha3.CELDeviceSelector', {
  expression: always(1, string),
});
export interface CELDeviceSelector extends Static<typeof CELDeviceSelector> {}

export const DeviceSelector = struct('resource/v1alpha3.DeviceSelector', {
  cel: pointer(1, CELDeviceSelector, { go: 'CEL' }),
});
export interface DeviceSelector extends Static<typeof DeviceSelector> {}
