import * as t from '@coxswain/schema';
import { MatchResources } from './match-resources.ts';
import { ParamRef } from './param-ref.ts';

export const ValidatingAdmissionPolicyBindingSpec = t.struct(
  'admissionregistration/v1.ValidatingAdmissionPolicyBindingSpec',
  {
    policyName: t.optional(1, t.string, { required: true }),
    paramRef: t.pointer(2, ParamRef),
    matchResources: t.pointer(3, MatchResources),
    validationActions: t.optional(
      4,
      t.listSet(t.named('v1.ValidationAction', t.oneOf(['Deny', 'Warn', 'Audit']))),
      {
        required: true,
      },
    ),
  },
);
export interface ValidatingAdmissionPolicyBindingSpec extends t.Static<
  typeof ValidatingAdmissionPolicyBindingSpec
> {}
