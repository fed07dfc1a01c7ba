import * as t from '@coxswain/schema';
import { ageColumn, column, containerColumns, nameColumn } from '../../meta/columns.ts';
import { defaultStatefulSet, defaultTemplate } from '../workload-defaults.ts';
import { validateStatefulSet, validateStatefulSetStatus } from '../stateful-set-validation.ts';
import { statefulSetWarnings } from '../workload-warnings.ts';
import { StatefulSetSpec, StatefulSetStatus } from './stateful-set-spec.ts';

export const StatefulSet = t.kind(
  'apps/v1.StatefulSet',
  'apps/v1',
  { plural: 'statefulsets', shortNames: ['sts'], categories: ['all'], namespaced: true },
  {
    metadata: t.optional(1, t.ObjectMeta, { go: 'ObjectMeta' }),
    spec: t.optional(2, StatefulSetSpec),
    status: t.optional(3, StatefulSetStatus),
  },
  {
    defaults: [defaultStatefulSet('RollingUpdate'), defaultTemplate],
    validate: validateStatefulSet,
    validateStatus: validateStatefulSetStatus,
    warnings: statefulSetWarnings,
    columns: [
      nameColumn,
      column('Ready', ({ spec, status }) => `${status?.readyReplicas ?? 0}/${spec.replicas ?? 0}`),
      ageColumn,
      ...containerColumns(({ spec }: { spec: StatefulSetSpec }) => spec.template?.spec?.containers),
    ],
  },
);
export interface StatefulSet extends t.Static<typeof StatefulSet> {}
