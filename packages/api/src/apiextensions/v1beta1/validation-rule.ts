import * as t from '@coxswain/schema';
import * as v1 from '../v1/validation-rule.ts';

export const ValidationRule = t.structIn('apiextensions/v1beta1', v1.ValidationRule, {
  fields: {
    rule: t.always(1, t.string),
    reason: t.pointer(4, t.named('v1beta1.FieldValueErrorReason', t.string)),
  },
});
export interface ValidationRule extends t.Static<typeof ValidationRule> {}
