import * as t from '@coxswain/schema';
import { Rule } from '../v1/rule.ts';

export const RuleWithOperations = t.struct('admissionregistration/v1beta1.RuleWithOperations', {
  operations: t.optional(1, t.atomicList(t.oneOf(['*', 'CREATE', 'UPDATE', 'DELETE', 'CONNECT']))),
  rule: t.embedded(2, Rule),
});
export interface RuleWithOperations extends t.Static<typeof RuleWithOperations> {}
