import * as t from '@coxswain/schema';
import { MatchResources } from './match-resources.ts';
import { ParamRef } from './param-ref.ts';
import { policyBindingColumns } from '../v1/policy-columns.ts';
import { validateMutatingBinding } from '../binding-validation.ts';
import * as v1beta1 from '../v1beta1/mutating-admission-policy-binding.ts';

export const MutatingAdmissionPolicyBindingSpec = t.struct(
  'admissionregistration/v1alpha1.MutatingAdmissionPolicyBindingSpec',
  {
    policyName: t.optional(1, t.string),
    paramRef: t.pointer(2, ParamRef),
    matchResources: t.pointer(3, MatchResources),
  },
);
export interface MutatingAdmissionPolicyBindingSpec extends t.Static<
  typeof MutatingAdmissionPolicyBindingSpec
> {}

export const MutatingAdmissionPolicyBinding = t.kindIn(
  'admissionregistration/v1alpha1',
  v1beta1.MutatingAdmissionPolicyBinding,
  { fields: { spec: t.optional(2, MutatingAdmissionPolicyBindingSpec) } },
  { validate: validateMutatingBinding, columns: policyBindingColumns },
);
export interface MutatingAdmissionPolicyBinding extends t.Static<typeof MutatingAdmissionPolicyBinding> {}
