import * as t from '@coxswain/schema';
import * as v1beta2 from '../v1beta2/device-selector.ts';

export const DeviceSelector = t.structIn('resource/v1beta1', v1beta2.DeviceSelector);
export interface DeviceSelector extends t.Static<typeof DeviceSelector> {}
