import * as t from '@coxswain/schema';
import * as v1beta1 from './v1beta1.ts';

export const MatchResources = t.structIn('admissionregistration/v1alpha1', v1beta1.MatchResources, {
  fields: {
    matchPolicy: t.pointer(7, t.named('v1alpha1.MatchPolicyType', t.oneOf(['Exact', 'Equivalent'])), {
      default: 'Equivalent',
    }),
  },
});
export interface MatchResources extends t.Static<typeof MatchResources> {}

export const Variable = t.struct('admissionregistration/v1alpha1.Variable', {
  name: t.always(1, t.string, { required: true, proto: 'Name' }),
  expression: t.always(2, t.string, { required: true, proto: 'Expression' }),
});
export interface Variable extends t.Static<typeof Variable> {}

export const MutatingAdmissionPolicySpec = t.structIn(
  'admissionregistration/v1alpha1',
  v1beta1.MutatingAdmissionPolicySpec,
  {
    fields: {
      matchConstraints: t.pointer(2, MatchResources),
      variables: t.optional(3, t.atomicList(Variable)),
      failurePolicy: t.pointer(5, t.named('v1alpha1.FailurePolicyType', t.oneOf(['Ignore', 'Fail'])), {
        default: 'Fail',
      }),
    },
  },
);
export interface MutatingAdmissionPolicySpec extends t.Static<typeof MutatingAdmissionPolicySpec> {}

export const MutatingAdmissionPolicy = t.kindIn(
  'admissionregistration/v1alpha1',
  v1beta1.MutatingAdmissionPolicy,
  { fields: { spec: t.optional(2, MutatingAdmissionPolicySpec) }, shared: ['validate', 'columns'] },
);
export interface MutatingAdmissionPolicy extends t.Static<typeof MutatingAdmissionPolicy> {}

export const ParamRef = t.structIn('admissionregistration/v1alpha1', v1beta1.ParamRef, {
  fields: {
    parameterNotFoundAction: t.pointer(
      4,
      t.named('v1alpha1.ParameterNotFoundActionType', t.oneOf(['Allow', 'Deny'])),
      { default: 'Deny' },
    ),
  },
});
export interface ParamRef extends t.Static<typeof ParamRef> {}

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
  { fields: { spec: t.optional(2, MutatingAdmissionPolicyBindingSpec) }, shared: ['validate', 'columns'] },
);
export interface MutatingAdmissionPolicyBinding extends t.Static<typeof MutatingAdmissionPolicyBinding> {}

export const ValidatingAdmissionPolicySpec = t.structIn(
  'admissionregistration/v1alpha1',
  v1beta1.ValidatingAdmissionPolicySpec,
  {
    fields: {
      matchConstraints: t.pointer(2, MatchResources),
      variables: t.optional(7, t.listMap(Variable, ['name']), { patch: 'merge', patchKey: 'name' }),
    },
  },
);
export interface ValidatingAdmissionPolicySpec extends t.Static<typeof ValidatingAdmissionPolicySpec> {}

export const ValidatingAdmissionPolicy = t.kindIn(
  'admissionregistration/v1alpha1',
  v1beta1.ValidatingAdmissionPolicy,
  {
    fields: { spec: t.optional(2, ValidatingAdmissionPolicySpec) },
    shared: ['validate', 'validateStatus', 'columns'],
  },
);
export interface ValidatingAdmissionPolicy extends t.Static<typeof ValidatingAdmissionPolicy> {}

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
  { fields: { spec: t.optional(2, ValidatingAdmissionPolicyBindingSpec) }, shared: ['validate', 'columns'] },
);
export interface ValidatingAdmissionPolicyBinding extends t.Static<typeof ValidatingAdmissionPolicyBinding> {}
