import { kind, listSet, ObjectMeta, oneOf, optional, pointer, string, struct, named } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';
import { MatchResources } from './match-resources.ts';
import { ParamRef } from './param-ref.ts';
import { policyBindingColumns } from '../v1/policy-columns.ts';
import { validateBinding } from '../binding-validation.ts';

export const ValidatingAdmissionPolicyBindingSpec = struct(
  'admissionregistration/v1alpha1.ValidatingAdmissionPolicyBindingSpec',
  {
    policyName: optional(1, string),
    paramRef: pointer(2, ParamRef),
    matchResources: pointer(3, MatchResources),
    validationActions: optional(
      4,
      listSet(named('v1alpha1.ValidationAction', oneOf(['Deny', 'Warn', 'Audit']))),
    ),
  },
);
export interface ValidatingAdmissionPolicyBindingSpec extends Static<
  typeof ValidatingAdmissionPolicyBindingSpec
> {}

export const ValidatingAdmissionPolicyBinding = kind(
  'admissionregistration/v1alpha1.ValidatingAdmissionPolicyBinding',
  'admissionregistration.k8s.io/v1alpha1',
  { plural: 'validatingadmissionpolicybindings', categories: ['api-extensions'], namespaced: false },
  {
    metadata: optional(1, ObjectMeta, { go: 'ObjectMeta' }),
    spec: optional(2, ValidatingAdmissionPolicyBindingSpec),
  },
  {
    validate: validateBinding,
    columns: policyBindingColumns,
  },
);
export interface ValidatingAdmissionPolicyBinding extends Static<typeof ValidatingAdmissionPolicyBinding> {}
