import * as t from '@coxswain/schema';
import { LabelSelector } from '../../meta/v1/label-selector.ts';

export const ParamRef = t.struct(
  'admissionregistration/v1.ParamRef',
  {
    name: t.optional(1, t.string),
    namespace: t.optional(2, t.string),
    selector: t.pointer(3, LabelSelector),
    parameterNotFoundAction: t.pointer(4, t.named('v1.ParameterNotFoundActionType', t.string)),
  },
  { atomic: true },
);
export interface ParamRef extends t.Static<typeof ParamRef> {}
