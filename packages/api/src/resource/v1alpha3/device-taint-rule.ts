import * as t from '@coxswain/schema';
import * as v1beta2 from '../v1beta2.ts';

export const DeviceTaintRule = t.kindIn('resource/v1alpha3', v1beta2.DeviceTaintRule, {
  shared: ['defaults', 'validate', 'validateStatus', 'columns'],
});
export interface DeviceTaintRule extends t.Static<typeof DeviceTaintRule> {}
