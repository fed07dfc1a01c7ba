import {
  always,
  atomicList,
  int64,
  kind,
  listMap,
  ObjectMeta,
  optional,
  pointer,
  string,
  struct,
  named,
} from '@coxswain/schema';
import type { Static } from '@coxswain/schema';
import { Condition } from '../../meta/v1/condition.ts';
import { MatchCondition } from './match-condition.ts';
import { MatchResources } from './match-resources.ts';
import { ParamKind } from './param-kind.ts';
import { Variable } from './variable.ts';
import { validatingPolicyColumns } from '../v1/policy-columns.ts';
import { validatePolicyStatus } from '../policy-status-validation.ts';
import { validatePolicy } from '../policy-validation.ts';

export const AuditAnnotation = struct('admissionregistration/v1beta1.AuditAnnotation', {
  key: always(1, string),
  valueExpression: always(2, string),
});
export interface AuditAnnotation extends Static<typeof AuditAnnotation> {}

export const ExpressionWarning = struct('admissionregistration/v1beta1.ExpressionWarning', {
  fieldRef: always(2, string),
  warning: always(3, string),
});
export interface ExpressionWarning extends Static<typeof ExpressionWarning> {}

export const TypeChecking = struct('admissionregistration/v1beta1.TypeChecking', {
  expressionWarnings: optional(1, atomicList(ExpressionWarning)),
});
export interface TypeChecking extends Static<typeof TypeChecking> {}

export const Validation = struct('admissionregistration/v1beta1.Validation', {
  expression: always(1, string, { proto: 'Expression' }),
  message: optional(2, string),
  reason: pointer(3, named('v1.StatusReason', string)),
  messageExpression: optional(4, string),
});
export interface Validation extends Static<typeof Validation> {}

export const ValidatingAdmissionPolicySpec = struct(
  'admissionregistration/v1beta1.ValidatingAdmissionPolicySpec',
  {
    paramKind: pointer(1, ParamKind),
    matchConstraints: pointer(2, MatchResources),
    validations: optional(3, atomicList(Validation)),
    failurePolicy: pointer(4, named('v1beta1.FailurePolicyType', string), { default: 'Fail' }),
    auditAnnotations: optional(5, atomicList(AuditAnnotation)),
    matchConditions: optional(6, listMap(MatchCondition, ['name']), { patch: 'merge', patchKey: 'name' }),
    variables: optional(7, listMap(Variable, ['name']), { patch: 'merge', patchKey: 'name' }),
  },
);
export interface ValidatingAdmissionPolicySpec extends Static<typeof ValidatingAdmissionPolicySpec> {}

export const ValidatingAdmissionPolicyStatus = struct(
  'admissionregistration/v1beta1.ValidatingAdmissionPolicyStatus',
  {
    observedGeneration: optional(1, int64),
    typeChecking: pointer(2, TypeChecking),
    conditions: optional(3, listMap(Condition, ['type'])),
  },
);
export interface ValidatingAdmissionPolicyStatus extends Static<typeof ValidatingAdmissionPolicyStatus> {}

export const ValidatingAdmissionPolicy = kind(
  'admissionregistration/v1beta1.ValidatingAdmissionPolicy',
  'admissionregistration.k8s.io/v1beta1',
  { plural: 'validatingadmissionpolicies', categories: ['api-extensions'], namespaced: false },
  {
    metadata: optional(1, ObjectMeta, { go: 'ObjectMeta' }),
    spec: optional(2, ValidatingAdmissionPolicySpec),
    status: optional(3, ValidatingAdmissionPolicyStatus),
  },
  {
    validate: validatePolicy,
    validateStatus: validatePolicyStatus,
    columns: validatingPolicyColumns,
  },
);
export interface ValidatingAdmissionPolicy extends Static<typeof ValidatingAdmissionPolicy> {}
