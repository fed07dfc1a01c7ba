import { epochMsOf } from '@coxswain/apimachinery';
import type { Column } from '@coxswain/schema';
import {
  ageColumn,
  column,
  containerColumns,
  formatSelector,
  nameColumn,
  wideColumn,
} from '../../meta/columns.ts';
import { humanDuration } from '@coxswain/apimachinery/human-duration.ts';
import type { StatusObject } from '../../meta/kind-object.ts';
import type { JobSpec } from './job-spec.ts';
import type { JobStatus } from './job-status.ts';

type JobObject = StatusObject<JobSpec, JobStatus>;

export const jobColumns: readonly Column<JobObject>[] = [
  nameColumn,
  column('Status', stateOf),
  column('Completions', completions),
  column('Duration', ({ status }, nowMs) => {
    if (status?.startTime == null) return '';
    const endMs = status.completionTime == null ? nowMs : epochMsOf(status.completionTime);
    return humanDuration(endMs - epochMsOf(status.startTime));
  }),
  ageColumn,
  ...containerColumns<JobObject>(({ spec }) => spec.template?.spec?.containers),
  wideColumn('Selector', ({ spec }) => formatSelector(spec.selector)),
];

function completions({ spec, status }: JobObject): string {
  const succeeded = status?.succeeded ?? 0;
  if (spec.completions != null) return `${succeeded}/${spec.completions}`;
  return (spec.parallelism ?? 0) > 1 ? `${succeeded}/1 of ${spec.parallelism}` : `${succeeded}/1`;
}

function stateOf({ metadata, status }: JobObject): string {
  const is = (wanted: string): boolean =>
    (status?.conditions ?? []).find(({ type }) => type === wanted)?.status === 'True';
  if (is('Complete')) return 'Complete';
  if (is('Failed')) return 'Failed';
  if (metadata.deletionTimestamp != null) return 'Terminating';
  return ['Suspended', 'FailureTarget', 'SuccessCriteriaMet'].find(is) ?? 'Running';
}
