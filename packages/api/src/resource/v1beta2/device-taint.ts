import * as t from '@coxswain/schema';
import * as v1 from '../v1/index.ts';

export const DeviceTaint = t.structIn('resource/v1beta2', v1.DeviceTaint);
export interface DeviceTaint extends t.Static<typeof DeviceTaint> {}
