import { atomicList, embedded, oneOf, optional, pointer, string, struct, named } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';
import { LabelSelector } from '../../meta/v1/label-selector.ts';
import { RuleWithOperations } from './rule-with-operations.ts';

export const NamedRuleWithOperations = struct(
  'admissionregistration/v1.NamedRuleWithOperations',
  {
    resourceNames: optional(1, atomicList(string)),
    ruleWithOperations: embedded(2, RuleWithOperations),
  },
  { atomic: true },
);
export interface NamedRuleWithOperations extends Static<typeof NamedRuleWithOperations> {}

export const MatchResources = struct(
  'admissionregistration/v1.MatchResources',
  {
    namespaceSelector: pointer(1, LabelSelector, { default: {} }),
    objectSelector: pointer(2, LabelSelector, { default: {} }),
    resourceRules: optional(3, atomicList(NamedRuleWithOperations)),
    excludeResourceRules: optional(4, atomicList(NamedRuleWithOperations)),
    matchPolicy: pointer(7, named('v1.MatchPolicyType', oneOf(['Exact', 'Equivalent'])), {
      default: 'Equivalent',
    }),
  },
  { atomic: true },
);
export interface MatchResources extends Static<typeof MatchResources> {}
