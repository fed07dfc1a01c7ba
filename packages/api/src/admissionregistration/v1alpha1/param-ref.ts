import { optional, pointer, string, struct, oneOf, named } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';
import { LabelSelector } from '../../meta/v1/label-selector.ts';

export const ParamRef = struct(
  'admissionregistration/v1alpha1.ParamRef',
  {
    name: optional(1, string),
    namespace: optional(2, string),
    selector: pointer(3, LabelSelector),
    parameterNotFoundAction: pointer(
      4,
      named('v1alpha1.ParameterNotFoundActionType', oneOf(['Allow', 'Deny'])),
      { default: 'Deny' },
    ),
  },
  { atomic: true },
);
export interface ParamRef extends Static<typeof ParamRef> {}
