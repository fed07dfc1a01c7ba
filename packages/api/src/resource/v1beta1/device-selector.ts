import { always, pointer, string, struct } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';

export const CELDeviceSelector = struct('resource/v1beta1.CELDeviceSelector', {
  expression: always(1, string, { required: true }),
});
export interface CELDeviceSelector extends Static<typeof CELDeviceSelector> {}

export const DeviceSelector = struct('resource/v1beta1.DeviceSelector', {
  cel: pointer(1, CELDeviceSelector, { go: 'CEL' }),
});
export interface DeviceSelector extends Static<typeof DeviceSelector> {}
