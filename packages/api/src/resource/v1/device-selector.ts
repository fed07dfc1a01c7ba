import * as t from '@coxswain/schema';

export const CELDeviceSelector = t.struct('resource/v1.CELDeviceSelector', {
  expression: t.always(1, t.string, { required: true }),
});
export interface CELDeviceSelector extends t.Static<typeof CELDeviceSelector> {}

export const DeviceSelector = t.struct('resource/v1.DeviceSelector', {
  cel: t.pointer(1, CELDeviceSelector, { go: 'CEL' }),
});
export interface DeviceSelector extends t.Static<typeof DeviceSelector> {}
