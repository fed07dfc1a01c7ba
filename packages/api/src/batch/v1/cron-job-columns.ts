import type { Column } from '@coxswain/schema';
import {
  ageColumn,
  column,
  containerColumns,
  formatSelector,
  nameColumn,
  wideColumn,
} from '../../meta/columns.ts';
import { timeSince } from '@coxswain/apimachinery/human-duration.ts';
import type { StatusObject } from '../../meta/kind-object.ts';
import type { JobSpec } from './job-spec.ts';

type CronJobObject = StatusObject<
  { schedule: string; timeZone?: string; suspend?: boolean; jobTemplate: { spec: JobSpec } },
  { active?: unknown[]; lastScheduleTime?: string }
>;

export const cronJobColumns: readonly Column<CronJobObject>[] = [
  nameColumn,
  column('Schedule', ({ spec }) => spec.schedule),
  column('Timezone', ({ spec }) => spec.timeZone ?? '<none>'),
  column(
    'Suspend',
    ({ spec }) => (spec.suspend == null ? '<unset>' : spec.suspend ? 'True' : 'False'),
    'boolean',
  ),
  column('Active', ({ status }) => (status?.active ?? []).length, 'integer'),
  column('Last Schedule', ({ status }, nowMs) =>
    status?.lastScheduleTime == null ? '<none>' : timeSince(status.lastScheduleTime, nowMs),
  ),
  ageColumn,
  ...containerColumns<CronJobObject>(({ spec }) => spec.jobTemplate?.spec?.template?.spec?.containers),
  wideColumn('Selector', ({ spec }) => formatSelector(spec.jobTemplate?.spec?.selector)),
];
