import {
  always,
  atomicList,
  bool,
  int32,
  int64,
  kind,
  ObjectMeta,
  oneOf,
  optional,
  pointer,
  string,
  struct,
  time,
  named,
} from '@coxswain/schema';
import type { Static } from '@coxswain/schema';
import { ObjectReference } from '../../core/v1/object-reference.ts';
import { JobSpec } from './job-spec.ts';
import { defaultJobSpec } from './job-defaults.ts';
import { cronJobColumns } from './cron-job-columns.ts';
import { validateCronJob } from './cron-job-validation.ts';
import { validateMetaUpdate } from '../../meta/plain-status-validation.ts';
import { cronJobWarnings } from './job-warnings.ts';

export const JobTemplateSpec = struct('batch/v1.JobTemplateSpec', {
  metadata: optional(1, ObjectMeta, { go: 'ObjectMeta' }),
  spec: optional(2, JobSpec),
});
export interface JobTemplateSpec extends Static<typeof JobTemplateSpec> {}

export const CronJobSpec = struct('batch/v1.CronJobSpec', {
  schedule: always(1, string, { required: true }),
  timeZone: pointer(8, string),
  startingDeadlineSeconds: pointer(2, int64),
  concurrencyPolicy: optional(3, named('v1.ConcurrencyPolicy', oneOf(['Allow', 'Forbid', 'Replace'])), {
    default: 'Allow',
  }),
  suspend: pointer(4, bool, { default: false }),
  jobTemplate: always(5, JobTemplateSpec, { required: true }),
  successfulJobsHistoryLimit: pointer(6, int32, { default: 3 }),
  failedJobsHistoryLimit: pointer(7, int32, { default: 1 }),
});
export interface CronJobSpec extends Static<typeof CronJobSpec> {}

export const CronJobStatus = struct('batch/v1.CronJobStatus', {
  active: optional(1, atomicList(ObjectReference)),
  lastScheduleTime: pointer(4, time),
  lastSuccessfulTime: pointer(5, time),
});
export interface CronJobStatus extends Static<typeof CronJobStatus> {}

export const CronJob = kind(
  'batch/v1.CronJob',
  'batch/v1',
  { plural: 'cronjobs', shortNames: ['cj'], categories: ['all'], namespaced: true },
  {
    metadata: optional(1, ObjectMeta, { go: 'ObjectMeta' }),
    spec: optional(2, CronJobSpec, { required: true }),
    status: optional(3, CronJobStatus),
  },
  {
    defaults: [({ spec }) => defaultJobSpec(spec.jobTemplate.spec)],
    validate: validateCronJob,
    validateStatus: validateMetaUpdate,
    warnings: cronJobWarnings,
    columns: cronJobColumns,
  },
);
export interface CronJob extends Static<typeof CronJob> {}
