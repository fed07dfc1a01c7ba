import * as t from '@coxswain/schema';
import { MatchResources } from './match-resources.ts';
import { ParamRef } from './param-ref.ts';
import { policyBindingColumns } from '../v1/policy-columns.ts';
import { validateBinding } from '../binding-validation.ts';

export const ValidatingAdmissionPolicyBindingSpec = t.struct(
  'admissionregistration/v1alpha1.ValidatingAdmissionPolicyBindingSpec',
  {
    policyName: t.optional(1, t.string),
    paramRef: t.pointer(2, ParamRef),
    matchResources: t.pointer(3, MatchResources),
    validationActions: t.optional(
      4,
      t.listSet(t.named('v1alpha1.ValidationAction', t.oneOf(['Deny', 'Warn', 'Audit']))),
    ),
  },
);
export interface ValidatingAdmissionPolicyBindingSpec extends t.Static<
  typeof ValidatingAdmissionPolicyBindingSpec
> {}

export const ValidatingAdmissionPolicyBinding = t.kind(
  'admissionregistration/v1alpha1.ValidatingAdmissionPolicyBinding',
  'admissionregistration.k8s.io/v1alpha1',
  { plural: 'validatingadmissionpolicybindings', categories: ['api-extensions'], namespaced: false },
  {
    metadata: t.optional(1, t.ObjectMeta, { go: 'ObjectMeta' }),
    spec: t.optional(2, ValidatingAdmissionPolicyBindingSpec),
  },
  {
    validate: validateBinding,
    columns: policyBindingColumns,
  },
);
export interface ValidatingAdmissionPolicyBinding extends t.Static<typeof ValidatingAdmissionPolicyBinding> {}
