/**
 * The mandatory objects of priority and fairness, whose specs are immutable. In their stored form, including defaults.
 */

import type { FlowSchemaSpec, PolicyRulesWithSubjects } from './v1/flow-schema-spec.ts';
import type { PriorityLevelConfigurationSpec } from './v1/priority-level-configuration-spec.ts';

const everythingBy = (...groups: readonly string[]): PolicyRulesWithSubjects[] => [
  {
    subjects: groups.map((name) => ({ kind: 'Group', group: { name } })),
    resourceRules: [
      { verbs: ['*'], apiGroups: ['*'], resources: ['*'], clusterScope: true, namespaces: ['*'] },
    ],
    nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
  },
];

export const mandatoryFlowSchemaSpecs: ReadonlyMap<string, FlowSchemaSpec> = new Map([
  [
    'exempt',
    {
      priorityLevelConfiguration: { name: 'exempt' },
      matchingPrecedence: 1,
      rules: everythingBy('system:masters'),
    },
  ],
  [
    'catch-all',
    {
      priorityLevelConfiguration: { name: 'catch-all' },
      matchingPrecedence: 10_000,
      distinguisherMethod: { type: 'ByUser' },
      rules: everythingBy('system:unauthenticated', 'system:authenticated'),
    },
  ],
]);

export const mandatoryPriorityLevelSpecs: ReadonlyMap<string, PriorityLevelConfigurationSpec> = new Map([
  ['exempt', { type: 'Exempt', exempt: { nominalConcurrencyShares: 0, lendablePercent: 0 } }],
  [
    'catch-all',
    {
      type: 'Limited',
      limited: { nominalConcurrencyShares: 5, limitResponse: { type: 'Reject' }, lendablePercent: 0 },
    },
  ],
]);
