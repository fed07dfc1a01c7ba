import { always, kind, ObjectMeta, optional } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';
import { nameColumn, ageColumn } from '../../meta/columns.ts';
import { validateWorkload } from '../group-validation.ts';
import { WorkloadSpec } from './workload-spec.ts';

export * from './workload-spec.ts';

export const Workload = kind(
  'scheduling/v1alpha2.Workload',
  'scheduling.k8s.io/v1alpha2',
  { plural: 'workloads', namespaced: true },
  {
    metadata: optional(1, ObjectMeta, { go: 'ObjectMeta' }),
    spec: always(2, WorkloadSpec, { required: true }),
  },
  {
    validate: validateWorkload,
    columns: [nameColumn, ageColumn],
  },
);
export interface Workload extends Static<typeof Workload> {}
