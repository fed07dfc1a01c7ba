import * as t from '@coxswain/schema';
import { policyBindingColumns } from './policy-columns.ts';
import { validateBinding } from '../binding-validation.ts';
import { ValidatingAdmissionPolicyBindingSpec } from './validating-admission-policy-binding-spec.ts';

export const ValidatingAdmissionPolicyBinding = t.kind(
  'admissionregistration/v1.ValidatingAdmissionPolicyBinding',
  'admissionregistration.k8s.io/v1',
  { plural: 'validatingadmissionpolicybindings', categories: ['api-extensions'], namespaced: false },
  {
    metadata: t.optional(1, t.ObjectMeta, { go: 'ObjectMeta' }),
    spec: t.optional(2, ValidatingAdmissionPolicyBindingSpec, { required: true }),
  },
  {
    validate: validateBinding,
    columns: policyBindingColumns,
  },
);
export interface ValidatingAdmissionPolicyBinding extends t.Static<typeof ValidatingAdmissionPolicyBinding> {}
