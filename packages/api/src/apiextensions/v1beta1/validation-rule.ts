import { always, bool, optional, pointer, string, struct, named } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';

export const ValidationRule = struct('apiextensions/v1beta1.ValidationRule', {
  rule: always(1, string),
  message: optional(2, string),
  messageExpression: optional(3, string),
  reason: pointer(4, named('v1beta1.FieldValueErrorReason', string)),
  fieldPath: optional(5, string),
  optionalOldSelf: pointer(6, bool, { gate: 'CRDValidationRatcheting' }),
});
export interface ValidationRule extends Static<typeof ValidationRule> {}
