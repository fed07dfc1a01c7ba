import * as t from '@coxswain/schema';
import { MatchResources } from './match-resources.ts';
import { policyBindingColumns } from '../v1/policy-columns.ts';
import { validateMutatingBinding } from '../binding-validation.ts';
import * as v1 from '../v1/mutating-admission-policy-binding.ts';

export const MutatingAdmissionPolicyBindingSpec = t.structIn(
  'admissionregistration/v1beta1',
  v1.MutatingAdmissionPolicyBindingSpec,
  { fields: { matchResources: t.pointer(3, MatchResources) } },
);
export interface MutatingAdmissionPolicyBindingSpec extends t.Static<
  typeof MutatingAdmissionPolicyBindingSpec
> {}

export const MutatingAdmissionPolicyBinding = t.kindIn(
  'admissionregistration/v1beta1',
  v1.MutatingAdmissionPolicyBinding,
  { fields: { spec: t.optional(2, MutatingAdmissionPolicyBindingSpec) } },
  { validate: validateMutatingBinding, columns: policyBindingColumns },
);
export interface MutatingAdmissionPolicyBinding extends t.Static<typeof MutatingAdmissionPolicyBinding> {}
