import * as t from '@coxswain/schema';
import { MatchResources } from './match-resources.ts';
import { ParamRef } from './param-ref.ts';
import { policyBindingColumns } from '../v1/policy-columns.ts';
import { validateBinding } from '../binding-validation.ts';
import * as v1beta1 from '../v1beta1/validating-admission-policy-binding.ts';

export const ValidatingAdmissionPolicyBindingSpec = t.structIn(
  'admissionregistration/v1alpha1',
  v1beta1.ValidatingAdmissionPolicyBindingSpec,
  { fields: { paramRef: t.pointer(2, ParamRef), matchResources: t.pointer(3, MatchResources) } },
);
export interface ValidatingAdmissionPolicyBindingSpec extends t.Static<
  typeof ValidatingAdmissionPolicyBindingSpec
> {}

export const ValidatingAdmissionPolicyBinding = t.kindIn(
  'admissionregistration/v1alpha1',
  v1beta1.ValidatingAdmissionPolicyBinding,
  { fields: { spec: t.optional(2, ValidatingAdmissionPolicyBindingSpec) } },
  { validate: validateBinding, columns: policyBindingColumns },
);
export interface ValidatingAdmissionPolicyBinding extends t.Static<typeof ValidatingAdmissionPolicyBinding> {}
