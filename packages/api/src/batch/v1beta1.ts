import * as t from '@coxswain/schema';
import * as v1 from './v1/index.ts';
import { defaultJobSpec } from './v1/job-defaults.ts';
import { JobSpec } from './v1/job-spec.ts';

export const JobTemplateSpec = t.structIn('batch/v1beta1', v1.JobTemplateSpec, {
  fields: { spec: t.optional(2, JobSpec) },
});
export interface JobTemplateSpec extends t.Static<typeof JobTemplateSpec> {}

export const CronJobSpec = t.structIn('batch/v1beta1', v1.CronJobSpec, {
  fields: {
    schedule: t.always(1, t.string),
    concurrencyPolicy: t.optional(3, t.named('v1beta1.ConcurrencyPolicy', t.string), { default: 'Allow' }),
    jobTemplate: t.always(5, JobTemplateSpec),
  },
});
export interface CronJobSpec extends t.Static<typeof CronJobSpec> {}

export const CronJob = t.kindIn(
  'batch/v1beta1',
  v1.CronJob,
  { fields: { spec: t.optional(2, CronJobSpec) }, shared: ['columns'] },
  { defaults: [({ spec }) => defaultJobSpec(spec.jobTemplate.spec)] },
);
export interface CronJob extends t.Static<typeof CronJob> {}
