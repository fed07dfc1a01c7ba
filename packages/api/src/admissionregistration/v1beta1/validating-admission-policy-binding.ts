import * as t from '@coxswain/schema';
import { MatchResources } from './match-resources.ts';
import { ParamRef } from './param-ref.ts';
import { policyBindingColumns } from '../v1/policy-columns.ts';
import { validateBinding } from '../binding-validation.ts';
import * as v1 from '../v1/validating-admission-policy-binding.ts';

export const ValidatingAdmissionPolicyBindingSpec = t.struct(
  'admissionregistration/v1beta1.ValidatingAdmissionPolicyBindingSpec',
  {
    policyName: t.optional(1, t.string),
    paramRef: t.pointer(2, ParamRef),
    matchResources: t.pointer(3, MatchResources),
    validationActions: t.optional(
      4,
      t.listSet(t.named('v1beta1.ValidationAction', t.oneOf(['Deny', 'Warn', 'Audit']))),
    ),
  },
);
export interface ValidatingAdmissionPolicyBindingSpec extends t.Static<
  typeof ValidatingAdmissionPolicyBindingSpec
> {}

export const ValidatingAdmissionPolicyBinding = t.kindIn(
  'admissionregistration/v1beta1',
  v1.ValidatingAdmissionPolicyBinding,
  { fields: { spec: t.optional(2, ValidatingAdmissionPolicyBindingSpec) } },
  { validate: validateBinding, columns: policyBindingColumns },
);
export interface ValidatingAdmissionPolicyBinding extends t.Static<typeof ValidatingAdmissionPolicyBinding> {}
