import type { Column } from '@coxswain/schema';
import { ageColumn, column, nameColumn } from '../../meta/columns.ts';
import type { StatusObject } from '../../meta/kind-object.ts';

type GroupObject = StatusObject<
  {
    schedulingPolicy: { gang?: unknown };
    podGroupTemplateRef?: { workload?: { workloadName: string } | null } | null;
  },
  { conditions?: { type: string; status: string; reason?: string }[] }
>;

export const podGroupColumns: readonly Column<GroupObject>[] = [
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
];
