import {
  always,
  int32,
  int64,
  intOrString,
  kind,
  listMap,
  map,
  ObjectMeta,
  optional,
  pointer,
  string,
  struct,
  time,
  named,
} from '@coxswain/schema';
import type { Static } from '@coxswain/schema';
import { Condition } from '../../meta/v1/condition.ts';
import { LabelSelector } from '../../meta/v1/label-selector.ts';
import { nameColumn, column, ageColumn } from '../../meta/columns.ts';

export const PodDisruptionBudgetSpec = struct('policy/v1beta1.PodDisruptionBudgetSpec', {
  minAvailable: pointer(1, intOrString),
  selector: pointer(2, LabelSelector),
  maxUnavailable: pointer(3, intOrString),
  unhealthyPodEvictionPolicy: pointer(4, named('v1beta1.UnhealthyPodEvictionPolicyType', string)),
});
export interface PodDisruptionBudgetSpec extends Static<typeof PodDisruptionBudgetSpec> {}

export const PodDisruptionBudgetStatus = struct('policy/v1beta1.PodDisruptionBudgetStatus', {
  observedGeneration: optional(1, int64),
  disruptedPods: optional(2, map(time)),
  disruptionsAllowed: always(3, int32),
  currentHealthy: always(4, int32),
  desiredHealthy: always(5, int32),
  expectedPods: always(6, int32),
  conditions: optional(7, listMap(Condition, ['type']), { patch: 'merge', patchKey: 'type' }),
});
export interface PodDisruptionBudgetStatus extends Static<typeof PodDisruptionBudgetStatus> {}

export const PodDisruptionBudget = kind(
  'policy/v1beta1.PodDisruptionBudget',
  'policy/v1beta1',
  { plural: 'poddisruptionbudgets', shortNames: ['pdb'], namespaced: true },
  {
    metadata: optional(1, ObjectMeta, { go: 'ObjectMeta' }),
    spec: optional(2, PodDisruptionBudgetSpec),
    status: optional(3, PodDisruptionBudgetStatus),
  },
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
export interface PodDisruptionBudget extends Static<typeof PodDisruptionBudget> {}
