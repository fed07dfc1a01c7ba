import * as t from '@coxswain/schema';
import { Rule } from './rule.ts';

export const RuleWithOperations = t.struct('admissionregistration/v1.RuleWithOperations', {
  operations: t.optional(
    1,
    t.atomicList(t.named('v1.OperationType', t.oneOf(['*', 'CREATE', 'UPDATE', 'DELETE', 'CONNECT']))),
  ),
  rule: t.embedded(2, Rule),
});
export interface RuleWithOperations extends t.Static<typeof RuleWithOperations> {}
