import * as t from '@coxswain/schema';
import { mutatingPolicyColumns } from './policy-columns.ts';
import { validateMutatingPolicy } from '../policy-validation.ts';
import { MutatingAdmissionPolicySpec } from './mutating-admission-policy-spec.ts';

export const MutatingAdmissionPolicy = t.kind(
  'admissionregistration/v1.MutatingAdmissionPolicy',
  'admissionregistration.k8s.io/v1',
  { plural: 'mutatingadmissionpolicies', categories: ['api-extensions'], namespaced: false },
  {
    metadata: t.optional(1, t.ObjectMeta, { go: 'ObjectMeta' }),
    spec: t.optional(2, MutatingAdmissionPolicySpec),
  },
  {
    validate: validateMutatingPolicy,
    columns: mutatingPolicyColumns,
  },
);
export interface MutatingAdmissionPolicy extends t.Static<typeof MutatingAdmissionPolicy> {}
