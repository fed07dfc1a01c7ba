import * as t from '@coxswain/schema';
import * as v1beta2 from '../v1beta2/device-toleration.ts';

export const DeviceToleration = t.structIn('resource/v1beta1', v1beta2.DeviceToleration);
export interface DeviceToleration extends t.Static<typeof DeviceToleration> {}
