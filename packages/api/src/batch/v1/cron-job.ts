import { timeSince } from '@coxswain/apimachinery/human-duration.ts';
import * as t from '@coxswain/schema';
import {
  ageColumn,
  column,
  containerColumns,
  formatSelector,
  nameColumn,
  wideColumn,
} from '../../meta/columns.ts';
import { defaultJobSpec } from './job-defaults.ts';
import { validateCronJob } from './cron-job-validation.ts';
import { validateMetaUpdate } from '../../meta/plain-status-validation.ts';
import { cronJobWarnings } from './job-warnings.ts';
import { CronJobSpec, CronJobStatus } from './cron-job-spec.ts';

export const CronJob = t.kind(
  'batch/v1.CronJob',
  'batch/v1',
  { plural: 'cronjobs', shortNames: ['cj'], categories: ['all'], namespaced: true },
  {
    metadata: t.optional(1, t.ObjectMeta, { go: 'ObjectMeta' }),
    spec: t.optional(2, CronJobSpec, { required: true }),
    status: t.optional(3, CronJobStatus),
  },
  {
    defaults: [({ spec }) => defaultJobSpec(spec.jobTemplate.spec)],
    validate: validateCronJob,
    validateStatus: validateMetaUpdate,
    warnings: cronJobWarnings,
    columns: [
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
      ...containerColumns(
        ({ spec }: { spec: CronJobSpec }) => spec.jobTemplate?.spec?.template?.spec?.containers,
      ),
      wideColumn('Selector', ({ spec }) => formatSelector(spec.jobTemplate?.spec?.selector)),
    ],
  },
);
export interface CronJob extends t.Static<typeof CronJob> {}
