import * as t from '@coxswain/schema';
import * as v1beta2 from '../v1beta2/device-class.ts';

export const DeviceClass = t.kindIn('resource/v1beta1', v1beta2.DeviceClass, { shared: ['columns'] });
export interface DeviceClass extends t.Static<typeof DeviceClass> {}
