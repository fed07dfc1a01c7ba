import * as t from '@coxswain/schema';
import { MatchResources } from './match-resources.ts';
import { Variable } from './variable.ts';
import { validatingPolicyColumns } from '../v1/policy-columns.ts';
import { validatePolicyStatus } from '../policy-status-validation.ts';
import { validatePolicy } from '../policy-validation.ts';
import * as v1beta1 from '../v1beta1/validating-admission-policy.ts';

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
  { fields: { spec: t.optional(2, ValidatingAdmissionPolicySpec) } },
  { validate: validatePolicy, validateStatus: validatePolicyStatus, columns: validatingPolicyColumns },
);
export interface ValidatingAdmissionPolicy extends t.Static<typeof ValidatingAdmissionPolicy> {}
