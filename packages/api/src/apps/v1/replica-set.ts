import * as t from '@coxswain/schema';
import {
  ageColumn,
  column,
  containerColumns,
  formatSelector,
  nameColumn,
  wideColumn,
} from '../../meta/columns.ts';
import { defaultTemplate } from '../workload-defaults.ts';
import { validateReplicaSet, validateReplicaSetStatus } from '../workload-validation.ts';
import { workloadWarnings } from '../../core/v1/workload-warnings.ts';
import { ReplicaSetSpec, ReplicaSetStatus } from './replica-set-spec.ts';

export const ReplicaSet = t.kind(
  'apps/v1.ReplicaSet',
  'apps/v1',
  { plural: 'replicasets', shortNames: ['rs'], categories: ['all'], namespaced: true },
  {
    metadata: t.optional(1, t.ObjectMeta, { go: 'ObjectMeta' }),
    spec: t.optional(2, ReplicaSetSpec),
    status: t.optional(3, ReplicaSetStatus),
  },
  {
    defaults: [defaultTemplate],
    validate: validateReplicaSet,
    validateStatus: validateReplicaSetStatus,
    warnings: workloadWarnings,
    columns: [
      nameColumn,
      column('Desired', ({ spec }) => spec.replicas ?? 0, 'integer'),
      column('Current', ({ status }) => status?.replicas ?? 0, 'integer'),
      column('Ready', ({ status }) => status?.readyReplicas ?? 0, 'integer'),
      ageColumn,
      ...containerColumns(({ spec }: { spec: ReplicaSetSpec }) => spec.template?.spec?.containers),
      wideColumn('Selector', ({ spec }) => formatSelector(spec.selector)),
    ],
  },
);
export interface ReplicaSet extends t.Static<typeof ReplicaSet> {}
