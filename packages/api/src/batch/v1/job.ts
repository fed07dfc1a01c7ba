import { epochMsOf } from '@coxswain/apimachinery';
import { humanDuration } from '@coxswain/apimachinery/human-duration.ts';
import * as t from '@coxswain/schema';
import {
  ageColumn,
  column,
  containerColumns,
  formatSelector,
  nameColumn,
  wideColumn,
} from '../../meta/columns.ts';
import { JobSpec } from './job-spec.ts';
import { defaultJob } from './job-defaults.ts';
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
    columns: [
      nameColumn,
      column('Status', ({ metadata, status }) => stateOf(metadata, status)),
      column('Completions', ({ spec, status }) => completions(spec, status?.succeeded ?? 0)),
      column('Duration', ({ status }, nowMs) => {
        if (status?.startTime == null) return '';
        const endMs = status.completionTime == null ? nowMs : epochMsOf(status.completionTime);
        return humanDuration(endMs - epochMsOf(status.startTime));
      }),
      ageColumn,
      ...containerColumns(({ spec }: { spec: JobSpec }) => spec.template?.spec?.containers),
      wideColumn('Selector', ({ spec }) => formatSelector(spec.selector)),
    ],
    selectableFields: { 'status.successful': ({ status }) => String(status?.succeeded ?? 0) },
    metadataSelectors: 'kindNamed',
  },
);
export interface Job extends t.Static<typeof Job> {}

function completions(spec: JobSpec, succeeded: number): string {
  if (spec.completions != null) return `${succeeded}/${spec.completions}`;
  return (spec.parallelism ?? 0) > 1 ? `${succeeded}/1 of ${spec.parallelism}` : `${succeeded}/1`;
}

function stateOf(metadata: t.ObjectMeta, status: JobStatus | undefined): string {
  const is = (wanted: string): boolean =>
    (status?.conditions ?? []).find(({ type }) => type === wanted)?.status === 'True';
  if (is('Complete')) return 'Complete';
  if (is('Failed')) return 'Failed';
  if (metadata.deletionTimestamp != null) return 'Terminating';
  return ['Suspended', 'FailureTarget', 'SuccessCriteriaMet'].find(is) ?? 'Running';
}
