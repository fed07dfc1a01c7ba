import * as t from '@coxswain/schema';
import { MatchResources } from './match-resources.ts';
import { Variable } from './variable.ts';
import { mutatingPolicyColumns } from '../v1/policy-columns.ts';
import { validateMutatingPolicy } from '../policy-validation.ts';
import * as v1beta1 from '../v1beta1/mutating-admission-policy.ts';

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
  { fields: { spec: t.optional(2, MutatingAdmissionPolicySpec) } },
  { validate: validateMutatingPolicy, columns: mutatingPolicyColumns },
);
export interface MutatingAdmissionPolicy extends t.Static<typeof MutatingAdmissionPolicy> {}
