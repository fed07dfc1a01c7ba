import * as t from '@coxswain/schema';
import { MatchResources } from './match-resources.ts';
import { mutatingPolicyColumns } from '../v1/policy-columns.ts';
import { validateMutatingPolicy } from '../policy-validation.ts';
import * as v1 from '../v1/mutating-admission-policy.ts';

export const MutatingAdmissionPolicySpec = t.structIn(
  'admissionregistration/v1beta1',
  v1.MutatingAdmissionPolicySpec,
  {
    fields: {
      matchConstraints: t.pointer(2, MatchResources),
      failurePolicy: t.pointer(5, t.named('v1beta1.FailurePolicyType', t.string), { default: 'Fail' }),
      reinvocationPolicy: t.optional(7, t.named('v1.ReinvocationPolicyType', t.oneOf(['Never', 'IfNeeded']))),
    },
  },
);
export interface MutatingAdmissionPolicySpec extends t.Static<typeof MutatingAdmissionPolicySpec> {}

export const MutatingAdmissionPolicy = t.kindIn(
  'admissionregistration/v1beta1',
  v1.MutatingAdmissionPolicy,
  { fields: { spec: t.optional(2, MutatingAdmissionPolicySpec) } },
  { validate: validateMutatingPolicy, columns: mutatingPolicyColumns },
);
export interface MutatingAdmissionPolicy extends t.Static<typeof MutatingAdmissionPolicy> {}
