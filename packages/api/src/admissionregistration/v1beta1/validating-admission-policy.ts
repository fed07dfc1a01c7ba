import * as t from '@coxswain/schema';
import { MatchResources } from './match-resources.ts';
import { validatingPolicyColumns } from '../v1/policy-columns.ts';
import { validatePolicyStatus } from '../policy-status-validation.ts';
import { validatePolicy } from '../policy-validation.ts';
import * as v1 from '../v1/validating-admission-policy.ts';

export const AuditAnnotation = t.struct('admissionregistration/v1beta1.AuditAnnotation', {
  key: t.always(1, t.string),
  valueExpression: t.always(2, t.string),
});
export interface AuditAnnotation extends t.Static<typeof AuditAnnotation> {}

export const ExpressionWarning = t.struct('admissionregistration/v1beta1.ExpressionWarning', {
  fieldRef: t.always(2, t.string),
  warning: t.always(3, t.string),
});
export interface ExpressionWarning extends t.Static<typeof ExpressionWarning> {}

export const TypeChecking = t.struct('admissionregistration/v1beta1.TypeChecking', {
  expressionWarnings: t.optional(1, t.atomicList(ExpressionWarning)),
});
export interface TypeChecking extends t.Static<typeof TypeChecking> {}

export const Validation = t.structIn('admissionregistration/v1beta1', v1.Validation, {
  fields: {
    expression: t.always(1, t.string, { proto: 'Expression' }),
    reason: t.pointer(3, t.named('v1.StatusReason', t.string)),
  },
});
export interface Validation extends t.Static<typeof Validation> {}

export const ValidatingAdmissionPolicySpec = t.structIn(
  'admissionregistration/v1beta1',
  v1.ValidatingAdmissionPolicySpec,
  {
    fields: {
      matchConstraints: t.pointer(2, MatchResources),
      validations: t.optional(3, t.atomicList(Validation)),
      failurePolicy: t.pointer(4, t.named('v1beta1.FailurePolicyType', t.string), { default: 'Fail' }),
      auditAnnotations: t.optional(5, t.atomicList(AuditAnnotation)),
    },
  },
);
export interface ValidatingAdmissionPolicySpec extends t.Static<typeof ValidatingAdmissionPolicySpec> {}

export const ValidatingAdmissionPolicyStatus = t.structIn(
  'admissionregistration/v1beta1',
  v1.ValidatingAdmissionPolicyStatus,
  { fields: { typeChecking: t.pointer(2, TypeChecking) } },
);
export interface ValidatingAdmissionPolicyStatus extends t.Static<typeof ValidatingAdmissionPolicyStatus> {}

export const ValidatingAdmissionPolicy = t.kindIn(
  'admissionregistration/v1beta1',
  v1.ValidatingAdmissionPolicy,
  {
    fields: {
      spec: t.optional(2, ValidatingAdmissionPolicySpec),
      status: t.optional(3, ValidatingAdmissionPolicyStatus),
    },
  },
  { validate: validatePolicy, validateStatus: validatePolicyStatus, columns: validatingPolicyColumns },
);
export interface ValidatingAdmissionPolicy extends t.Static<typeof ValidatingAdmissionPolicy> {}
