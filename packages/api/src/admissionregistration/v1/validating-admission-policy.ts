import * as t from '@coxswain/schema';
import { validatingPolicyColumns } from './policy-columns.ts';
import { validatePolicyStatus } from '../policy-status-validation.ts';
import { validatePolicy } from '../policy-validation.ts';
import {
  ValidatingAdmissionPolicySpec,
  ValidatingAdmissionPolicyStatus,
} from './validating-admission-policy-spec.ts';

export const ValidatingAdmissionPolicy = t.kind(
  'admissionregistration/v1.ValidatingAdmissionPolicy',
  'admissionregistration.k8s.io/v1',
  { plural: 'validatingadmissionpolicies', categories: ['api-extensions'], namespaced: false },
  {
    metadata: t.optional(1, t.ObjectMeta, { go: 'ObjectMeta' }),
    spec: t.optional(2, ValidatingAdmissionPolicySpec),
    status: t.optional(3, ValidatingAdmissionPolicyStatus),
  },
  {
    validate: validatePolicy,
    validateStatus: validatePolicyStatus,
    columns: validatingPolicyColumns,
  },
);
export interface ValidatingAdmissionPolicy extends t.Static<typeof ValidatingAdmissionPolicy> {}
