import * as t from '@coxswain/schema';
import * as v1beta2 from '../v1beta2/scale.ts';

export const ScaleStatus = t.structIn('apps/v1beta1', v1beta2.ScaleStatus, {
  fields: { selector: t.optional(2, t.map(t.string)) },
});
export interface ScaleStatus extends t.Static<typeof ScaleStatus> {}

export const Scale = t.kindIn('apps/v1beta1', v1beta2.Scale, {
  fields: { status: t.optional(3, ScaleStatus) },
});
export interface Scale extends t.Static<typeof Scale> {}
