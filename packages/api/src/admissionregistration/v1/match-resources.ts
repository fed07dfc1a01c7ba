import * as t from '@coxswain/schema';
import { LabelSelector } from '../../meta/v1/label-selector.ts';
import { RuleWithOperations } from './rule-with-operations.ts';

export const NamedRuleWithOperations = t.struct(
  'admissionregistration/v1.NamedRuleWithOperations',
  {
    resourceNames: t.optional(1, t.atomicList(t.string)),
    ruleWithOperations: t.embedded(2, RuleWithOperations),
  },
  { atomic: true },
);
export interface NamedRuleWithOperations extends t.Static<typeof NamedRuleWithOperations> {}

export const MatchResources = t.struct(
  'admissionregistration/v1.MatchResources',
  {
    namespaceSelector: t.pointer(1, LabelSelector, { default: {} }),
    objectSelector: t.pointer(2, LabelSelector, { default: {} }),
    resourceRules: t.optional(3, t.atomicList(NamedRuleWithOperations)),
    excludeResourceRules: t.optional(4, t.atomicList(NamedRuleWithOperations)),
    matchPolicy: t.pointer(7, t.named('v1.MatchPolicyType', t.oneOf(['Exact', 'Equivalent'])), {
      default: 'Equivalent',
    }),
  },
  { atomic: true },
);
export interface MatchResources extends t.Static<typeof MatchResources> {}
