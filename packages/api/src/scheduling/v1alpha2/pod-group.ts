import { always, kind, ObjectMeta, optional } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';
import { podGroupColumns } from './pod-group-columns.ts';
import { validatePodGroup, validatePodGroupStatus } from '../group-validation.ts';
import { PodGroupSpec, PodGroupStatus } from './pod-group-spec.ts';

export * from './pod-group-spec.ts';

export const PodGroup = kind(
  'scheduling/v1alpha2.PodGroup',
  'scheduling.k8s.io/v1alpha2',
  { plural: 'podgroups', namespaced: true },
  {
    metadata: optional(1, ObjectMeta, { go: 'ObjectMeta' }),
    spec: always(2, PodGroupSpec, { required: true }),
    status: optional(3, PodGroupStatus),
  },
  {
    validate: validatePodGroup,
    validateStatus: validatePodGroupStatus,
    columns: podGroupColumns,
  },
);
export interface PodGroup extends Static<typeof PodGroup> {}
