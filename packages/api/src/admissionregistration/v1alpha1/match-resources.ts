import { atomicList, embedded, optional, pointer, string, struct, oneOf, named } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';
import { RuleWithOperations } from '../../admissionregistration/v1/rule-with-operations.ts';
import { LabelSelector } from '../../meta/v1/label-selector.ts';

export const NamedRuleWithOperations = struct(
  'admissionregistration/v1alpha1.NamedRuleWithOperations',
  {
    resourceNames: optional(1, atomicList(string)),
    ruleWithOperations: embedded(2, RuleWithOperations),
  },
  { atomic: true },
);
export interface NamedRuleWithOperations extends Static<typeof NamedRuleWithOperations> {}

export const MatchResources = struct(
  'admissionregistration/v1alpha1.MatchResources',
  {
    namespaceSelector: pointer(1, LabelSelector, { default: {} }),
    objectSelector: pointer(2, LabelSelector, { default: {} }),
    resourceRules: optional(3, atomicList(NamedRuleWithOperations)),
    excludeResourceRules: optional(4, atomicList(NamedRuleWithOperations)),
    matchPolicy: pointer(7, named('v1alpha1.MatchPolicyType', oneOf(['Exact', 'Equivalent'])), {
      default: 'Equivalent',
    }),
  },
  { atomic: true },
);
export interface MatchResources extends Static<typeof MatchResources> {}
