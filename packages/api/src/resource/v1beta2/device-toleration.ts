import * as t from '@coxswain/schema';
import * as v1 from '../v1/device-toleration.ts';

export const DeviceToleration = t.structIn('resource/v1beta2', v1.DeviceToleration);
export interface DeviceToleration extends t.Static<typeof DeviceToleration> {}
