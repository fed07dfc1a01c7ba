import { kind, ObjectMeta, optional, pointer, string, struct } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';
import { MatchResources } from './match-resources.ts';
import { ParamRef } from './param-ref.ts';
import { policyBindingColumns } from '../v1/policy-columns.ts';
import { validateMutatingBinding } from '../binding-validation.ts';

export const MutatingAdmissionPolicyBindingSpec = struct(
  'admissionregistration/v1alpha1.MutatingAdmissionPolicyBindingSpec',
  {
    policyName: optional(1, string),
    paramRef: pointer(2, ParamRef),
    matchResources: pointer(3, MatchResources),
  },
);
export interface MutatingAdmissionPolicyBindingSpec extends Static<
  typeof MutatingAdmissionPolicyBindingSpec
> {}

export const MutatingAdmissionPolicyBinding = kind(
  'admissionregistration/v1alpha1.MutatingAdmissionPolicyBinding',
  'admissionregistration.k8s.io/v1alpha1',
  { plural: 'mutatingadmissionpolicybindings', categories: ['api-extensions'], namespaced: false },
  {
    metadata: optional(1, ObjectMeta, { go: 'ObjectMeta' }),
    spec: optional(2, MutatingAdmissionPolicyBindingSpec),
  },
  {
    validate: validateMutatingBinding,
    columns: policyBindingColumns,
  },
);
export interface MutatingAdmissionPolicyBinding extends Static<typeof MutatingAdmissionPolicyBinding> {}
