import { atomicList, embedded, optional, pointer, string, struct, named } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';
import { RuleWithOperations } from '../../admissionregistration/v1/rule-with-operations.ts';
import { LabelSelector } from '../../meta/v1/label-selector.ts';

export const NamedRuleWithOperations = struct(
  'admissionregistration/v1beta1.NamedRuleWithOperations',
  {
    resourceNames: optional(1, atomicList(string)),
    ruleWithOperations: embedded(2, RuleWithOperations),
  },
  { atomic: true },
);
export interface NamedRuleWithOperations extends Static<typeof NamedRuleWithOperations> {}

export const MatchResources = struct(
  'admissionregistration/v1beta1.MatchResources',
  {
    namespaceSelector: pointer(1, LabelSelector, { default: {} }),
    objectSelector: pointer(2, LabelSelector, { default: {} }),
    resourceRules: optional(3, atomicList(NamedRuleWithOperations)),
    excludeResourceRules: optional(4, atomicList(NamedRuleWithOperations)),
    matchPolicy: pointer(7, named('v1beta1.MatchPolicyType', string), { default: 'Equivalent' }),
  },
  { atomic: true },
);
export interface MatchResources extends Static<typeof MatchResources> {}
