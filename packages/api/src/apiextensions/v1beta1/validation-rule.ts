import * as t from '@coxswain/schema';

export const ValidationRule = t.struct('apiextensions/v1beta1.ValidationRule', {
  rule: t.always(1, t.string),
  message: t.optional(2, t.string),
  messageExpression: t.optional(3, t.string),
  reason: t.pointer(4, t.named('v1beta1.FieldValueErrorReason', t.string)),
  fieldPath: t.optional(5, t.string),
  optionalOldSelf: t.pointer(6, t.bool, { gate: 'CRDValidationRatcheting' }),
});
export interface ValidationRule extends t.Static<typeof ValidationRule> {}
