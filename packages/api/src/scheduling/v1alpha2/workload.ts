import * as t from '@coxswain/schema';
import { nameColumn, ageColumn } from '../../meta/columns.ts';
import { validateWorkload } from '../group-validation.ts';
import { WorkloadSpec } from './workload-spec.ts';

export * from './workload-spec.ts';

export const Workload = t.kind(
  'scheduling/v1alpha2.Workload',
  'scheduling.k8s.io/v1alpha2',
  { plural: 'workloads', namespaced: true },
  {
    metadata: t.optional(1, t.ObjectMeta, { go: 'ObjectMeta' }),
    spec: t.always(2, WorkloadSpec, { required: true }),
  },
  {
    validate: validateWorkload,
    columns: [nameColumn, ageColumn],
  },
);
export interface Workload extends t.Static<typeof Workload> {}
