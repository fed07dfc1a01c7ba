import {
  always,
  int32,
  int64,
  intOrString,
  kind,
  listMap,
  map,
  ObjectMeta,
  oneOf,
  optional,
  pointer,
  struct,
  time,
  named,
} from '@coxswain/schema';
import type { Static } from '@coxswain/schema';
import { Condition } from '../../meta/v1/condition.ts';
import { LabelSelector } from '../../meta/v1/label-selector.ts';
import { nameColumn, column, ageColumn } from '../../meta/columns.ts';
import { stripEmptyMark } from '../empty-selector.ts';
import { validateBudget, validateBudgetStatus } from '../pod-disruption-budget-validation.ts';

export const PodDisruptionBudgetSpec = struct('policy/v1.PodDisruptionBudgetSpec', {
  minAvailable: pointer(1, intOrString),
  selector: pointer(2, LabelSelector, { patch: 'replace' }),
  maxUnavailable: pointer(3, intOrString),
  unhealthyPodEvictionPolicy: pointer(
    4,
    named('v1.UnhealthyPodEvictionPolicyType', oneOf(['IfHealthyBudget', 'AlwaysAllow'])),
  ),
});
export interface PodDisruptionBudgetSpec extends Static<typeof PodDisruptionBudgetSpec> {}

export const PodDisruptionBudgetStatus = struct('policy/v1.PodDisruptionBudgetStatus', {
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
  'policy/v1.PodDisruptionBudget',
  'policy/v1',
  { plural: 'poddisruptionbudgets', shortNames: ['pdb'], namespaced: true },
  {
    metadata: optional(1, ObjectMeta, { go: 'ObjectMeta' }),
    spec: optional(2, PodDisruptionBudgetSpec),
    status: optional(3, PodDisruptionBudgetStatus),
  },
  {
    defaults: [stripEmptyMark],
    validate: validateBudget,
    validateStatus: validateBudgetStatus,
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
