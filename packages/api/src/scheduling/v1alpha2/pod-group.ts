import * as t from '@coxswain/schema';
import { podGroupColumns } from './pod-group-columns.ts';
import { validatePodGroup, validatePodGroupStatus } from '../group-validation.ts';
import { PodGroupSpec, PodGroupStatus } from './pod-group-spec.ts';

export * from './pod-group-spec.ts';

export const PodGroup = t.kind(
  'scheduling/v1alpha2.PodGroup',
  'scheduling.k8s.io/v1alpha2',
  { plural: 'podgroups', namespaced: true },
  {
    metadata: t.optional(1, t.ObjectMeta, { go: 'ObjectMeta' }),
    spec: t.always(2, PodGroupSpec, { required: true }),
    status: t.optional(3, PodGroupStatus),
  },
  {
    validate: validatePodGroup,
    validateStatus: validatePodGroupStatus,
    columns: podGroupColumns,
  },
);
export interface PodGroup extends t.Static<typeof PodGroup> {}
