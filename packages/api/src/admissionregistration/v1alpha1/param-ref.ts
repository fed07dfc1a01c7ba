import * as t from '@coxswain/schema';
import * as v1beta1 from '../v1beta1/param-ref.ts';

export const ParamRef = t.structIn('admissionregistration/v1alpha1', v1beta1.ParamRef, {
  fields: {
    parameterNotFoundAction: t.pointer(
      4,
      t.named('v1alpha1.ParameterNotFoundActionType', t.oneOf(['Allow', 'Deny'])),
      { default: 'Deny' },
    ),
  },
});
export interface ParamRef extends t.Static<typeof ParamRef> {}
