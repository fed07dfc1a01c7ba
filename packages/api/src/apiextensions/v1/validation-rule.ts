import * as t from '@coxswain/schema';

export const ValidationRule = t.struct('apiextensions/v1.ValidationRule', {
  rule: t.always(1, t.string, { required: true }),
  message: t.optional(2, t.string),
  messageExpression: t.optional(3, t.string),
  reason: t.pointer(
    4,
    t.named(
      'v1.FieldValueErrorReason',
      t.oneOf(['FieldValueRequired', 'FieldValueDuplicate', 'FieldValueInvalid', 'FieldValueForbidden']),
    ),
  ),
  fieldPath: t.optional(5, t.string),
  optionalOldSelf: t.pointer(6, t.bool, { gate: 'CRDValidationRatcheting' }),
});
export interface ValidationRule extends t.Static<typeof ValidationRule> {}
