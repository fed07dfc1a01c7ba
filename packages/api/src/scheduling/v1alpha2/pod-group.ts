import * as t from '@coxswain/schema';
import { ageColumn, column, nameColumn } from '../../meta/columns.ts';
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
    columns: [
      nameColumn,
      column('Policy', ({ spec }) => (spec.schedulingPolicy?.gang == null ? 'Basic' : 'Gang')),
      column('Workload', ({ spec }) => spec.podGroupTemplateRef?.workload?.workloadName ?? '<none>'),
      column('Status', ({ status }) => {
        const last = (wanted: string) => (status?.conditions ?? []).findLast(({ type }) => type === wanted);
        const disruption = last('DisruptionTarget');
        if (disruption !== undefined) return disruption.reason ?? '';
        const scheduled = last('PodGroupScheduled');
        if (scheduled === undefined) return 'Pending';
        return scheduled.status === 'True' ? 'Scheduled' : 'Unschedulable';
      }),
      ageColumn,
    ],
  },
);
export interface PodGroup extends t.Static<typeof PodGroup> {}
