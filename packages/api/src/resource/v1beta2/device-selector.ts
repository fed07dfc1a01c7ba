import * as t from '@coxswain/schema';
import * as v1 from '../v1/device-selector.ts';

export const DeviceSelector = t.structIn('resource/v1beta2', v1.DeviceSelector);
export interface DeviceSelector extends t.Static<typeof DeviceSelector> {}
