import * as t from '@coxswain/schema';
import { ObjectReference } from '../../core/v1/object-reference.ts';
import { JobSpec } from './job-spec.ts';

export const JobTemplateSpec = t.struct('batch/v1.JobTemplateSpec', {
  metadata: t.optional(1, t.ObjectMeta, { go: 'ObjectMeta' }),
  spec: t.optional(2, JobSpec),
});
export interface JobTemplateSpec extends t.Static<typeof JobTemplateSpec> {}

export const CronJobSpec = t.struct('batch/v1.CronJobSpec', {
  schedule: t.always(1, t.string, { required: true }),
  timeZone: t.pointer(8, t.string),
  startingDeadlineSeconds: t.pointer(2, t.int64),
  concurrencyPolicy: t.optional(3, t.named('v1.ConcurrencyPolicy', t.oneOf(['Allow', 'Forbid', 'Replace'])), {
    default: 'Allow',
  }),
  suspend: t.pointer(4, t.bool, { default: false }),
  jobTemplate: t.always(5, JobTemplateSpec, { required: true }),
  successfulJobsHistoryLimit: t.pointer(6, t.int32, { default: 3 }),
  failedJobsHistoryLimit: t.pointer(7, t.int32, { default: 1 }),
});
export interface CronJobSpec extends t.Static<typeof CronJobSpec> {}

export const CronJobStatus = t.struct('batch/v1.CronJobStatus', {
  active: t.optional(1, t.atomicList(ObjectReference)),
  lastScheduleTime: t.pointer(4, t.time),
  lastSuccessfulTime: t.pointer(5, t.time),
});
export interface CronJobStatus extends t.Static<typeof CronJobStatus> {}
