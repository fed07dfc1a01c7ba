import * as t from '@coxswain/schema';
import { nameColumn, column, ageColumn } from '../../meta/columns.ts';
import { stripEmptyMark } from '../empty-selector.ts';
import { validateBudget, validateBudgetStatus } from '../pod-disruption-budget-validation.ts';
import { PodDisruptionBudgetSpec, PodDisruptionBudgetStatus } from './pod-disruption-budget-spec.ts';

export const PodDisruptionBudget = t.kind(
  'policy/v1.PodDisruptionBudget',
  'policy/v1',
  { plural: 'poddisruptionbudgets', shortNames: ['pdb'], namespaced: true },
  {
    metadata: t.optional(1, t.ObjectMeta, { go: 'ObjectMeta' }),
    spec: t.optional(2, PodDisruptionBudgetSpec),
    status: t.optional(3, PodDisruptionBudgetStatus),
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
export interface PodDisruptionBudget extends t.Static<typeof PodDisruptionBudget> {}
