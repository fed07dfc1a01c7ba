import * as t from '@coxswain/schema';
import { RuleWithOperations } from '../v1/rule-with-operations.ts';
import * as v1 from '../v1/match-resources.ts';

export const NamedRuleWithOperations = t.structIn(
  'admissionregistration/v1beta1',
  v1.NamedRuleWithOperations,
  { fields: { ruleWithOperations: t.embedded(2, RuleWithOperations) } },
);
export interface NamedRuleWithOperations extends t.Static<typeof NamedRuleWithOperations> {}

export const MatchResources = t.structIn('admissionregistration/v1beta1', v1.MatchResources, {
  fields: {
    resourceRules: t.optional(3, t.atomicList(NamedRuleWithOperations)),
    excludeResourceRules: t.optional(4, t.atomicList(NamedRuleWithOperations)),
    matchPolicy: t.pointer(7, t.named('v1beta1.MatchPolicyType', t.string), { default: 'Equivalent' }),
  },
});
export interface MatchResources extends t.Static<typeof MatchResources> {}
