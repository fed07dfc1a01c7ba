import { atomicList, embedded, oneOf, optional, struct, named } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';
import { Rule } from './rule.ts';

export const RuleWithOperations = struct('admissionregistration/v1.RuleWithOperations', {
  operations: optional(
    1,
    atomicList(named('v1.OperationType', oneOf(['*', 'CREATE', 'UPDATE', 'DELETE', 'CONNECT']))),
  ),
  rule: embedded(2, Rule),
});
export interface RuleWithOperations extends Static<typeof RuleWithOperations> {}
