import * as t from '@coxswain/schema';
import * as v1 from '../v1/index.ts';

export const DeviceClass = t.kindIn('resource/v1beta2', v1.DeviceClass, { shared: ['validate', 'columns'] });
export interface DeviceClass extends t.Static<typeof DeviceClass> {}
