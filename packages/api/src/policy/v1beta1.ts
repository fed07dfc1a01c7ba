import * as t from '@coxswain/schema';
import { nameColumn, column, ageColumn } from '../meta/columns.ts';
import { LabelSelector } from '../meta/v1/label-selector.ts';
import { podSecurityPolicyKind } from './pod-security-policy-kind.ts';
import * as v1 from './v1/index.ts';

export const Eviction = t.kindIn('policy/v1beta1', v1.Eviction);
export interface Eviction extends t.Static<typeof Eviction> {}

export const PodDisruptionBudgetSpec = t.structIn('policy/v1beta1', v1.PodDisruptionBudgetSpec, {
  fields: {
    selector: t.pointer(2, LabelSelector),
    unhealthyPodEvictionPolicy: t.pointer(4, t.named('v1beta1.UnhealthyPodEvictionPolicyType', t.string)),
  },
});
export interface PodDisruptionBudgetSpec extends t.Static<typeof PodDisruptionBudgetSpec> {}

export const PodDisruptionBudget = t.kindIn(
  'policy/v1beta1',
  v1.PodDisruptionBudget,
  { fields: { spec: t.optional(2, PodDisruptionBudgetSpec) } },
  {
    columns: [
      nameColumn,
      column('Min Available', ({ spec }) => `${spec?.minAvailable ?? 'N/A'}`),
      column('Max Unavailable', ({ spec }) => `${spec?.maxUnavailable ?? 'N/A'}`),
      column('Allowed Disruptions', ({ status }) => status?.disruptionsAllowed ?? 0, 'integer'),
      ageColumn,
    ],
  },
);
export interface PodDisruptionBudget extends t.Static<typeof PodDisruptionBudget> {}

export const PodSecurityPolicy = podSecurityPolicyKind('policy/v1beta1');
export interface PodSecurityPolicy extends t.Static<typeof PodSecurityPolicy> {}
