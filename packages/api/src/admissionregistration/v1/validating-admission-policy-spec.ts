import * as t from '@coxswain/schema';
import { Condition } from '../../meta/v1/condition.ts';
import { MatchCondition } from './match-condition.ts';
import { MatchResources } from './match-resources.ts';
import { ParamKind } from './param-kind.ts';
import { Variable } from './variable.ts';

export const AuditAnnotation = t.struct('admissionregistration/v1.AuditAnnotation', {
  key: t.always(1, t.string, { required: true }),
  valueExpression: t.always(2, t.string, { required: true }),
});
export interface AuditAnnotation extends t.Static<typeof AuditAnnotation> {}

export const ExpressionWarning = t.struct('admissionregistration/v1.ExpressionWarning', {
  fieldRef: t.always(2, t.string, { required: true }),
  warning: t.always(3, t.string, { required: true }),
});
export interface ExpressionWarning extends t.Static<typeof ExpressionWarning> {}

export const TypeChecking = t.struct('admissionregistration/v1.TypeChecking', {
  expressionWarnings: t.optional(1, t.atomicList(ExpressionWarning)),
});
export interface TypeChecking extends t.Static<typeof TypeChecking> {}

export const Validation = t.struct('admissionregistration/v1.Validation', {
  expression: t.always(1, t.string, { required: true, proto: 'Expression' }),
  message: t.optional(2, t.string),
  reason: t.pointer(3, t.named('v1.StatusReason', t.string)),
  messageExpression: t.optional(4, t.string),
});
export interface Validation extends t.Static<typeof Validation> {}

export const ValidatingAdmissionPolicySpec = t.struct(
  'admissionregistration/v1.ValidatingAdmissionPolicySpec',
  {
    paramKind: t.pointer(1, ParamKind),
    matchConstraints: t.pointer(2, MatchResources),
    validations: t.optional(3, t.atomicList(Validation)),
    failurePolicy: t.pointer(4, t.named('v1.FailurePolicyType', t.oneOf(['Ignore', 'Fail'])), {
      default: 'Fail',
    }),
    auditAnnotations: t.optional(5, t.atomicList(AuditAnnotation)),
    matchConditions: t.optional(6, t.listMap(MatchCondition, ['name']), { patch: 'merge', patchKey: 'name' }),
    variables: t.optional(7, t.listMap(Variable, ['name']), { patch: 'merge', patchKey: 'name' }),
  },
);
export interface ValidatingAdmissionPolicySpec extends t.Static<typeof ValidatingAdmissionPolicySpec> {}

export const ValidatingAdmissionPolicyStatus = t.struct(
  'admissionregistration/v1.ValidatingAdmissionPolicyStatus',
  {
    observedGeneration: t.optional(1, t.int64),
    typeChecking: t.pointer(2, TypeChecking),
    conditions: t.optional(3, t.listMap(Condition, ['type'])),
  },
);
export interface ValidatingAdmissionPolicyStatus extends t.Static<typeof ValidatingAdmissionPolicyStatus> {}
