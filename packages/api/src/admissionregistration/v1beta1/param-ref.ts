import * as t from '@coxswain/schema';
import * as v1 from '../v1/param-ref.ts';

export const ParamRef = t.structIn('admissionregistration/v1beta1', v1.ParamRef);
export interface ParamRef extends t.Static<typeof ParamRef> {}
