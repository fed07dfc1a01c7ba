import * as t from '@coxswain/schema';
import { JobSpec } from './job-spec.ts';
import { defaultJob } from './job-defaults.ts';
import { jobColumns } from './job-columns.ts';
import { validateJob } from './job-validation.ts';
import { validateJobStatus } from './job-status-validation.ts';
import { jobWarnings } from './job-warnings.ts';
import { JobStatus } from './job-status.ts';

export const Job = t.kind(
  'batch/v1.Job',
  'batch/v1',
  { plural: 'jobs', categories: ['all'], namespaced: true },
  {
    metadata: t.optional(1, t.ObjectMeta, { go: 'ObjectMeta' }),
    spec: t.optional(2, JobSpec),
    status: t.optional(3, JobStatus),
  },
  {
    defaults: [defaultJob],
    validate: validateJob,
    validateStatus: validateJobStatus,
    warnings: jobWarnings,
    columns: jobColumns,
    selectableFields: { 'status.successful': ({ status }) => String(status?.succeeded ?? 0) },
    metadataSelectors: 'kindNamed',
  },
);
export interface Job extends t.Static<typeof Job> {}
