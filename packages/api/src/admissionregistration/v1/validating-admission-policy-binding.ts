import * as t from '@coxswain/schema';
import { MatchResources } from './match-resources.ts';
import { ParamRef } from './param-ref.ts';
import { policyBindingColumns } from './policy-columns.ts';
import { validateBinding } from '../binding-validation.ts';

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
