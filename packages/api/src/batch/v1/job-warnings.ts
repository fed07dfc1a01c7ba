import { FieldPath } from '@coxswain/apimachinery';
import { nameWarnings, templateWarnings } from '../../core/v1/pod/pod-warnings.ts';
import type { SpecObject } from '../../meta/kind-object.ts';
import type { JobSpec } from './job-spec.ts';

const completionsMax = 100_000;
const parallelismMax = 10_000;

export function jobWarnings(job: SpecObject<JobSpec>, old: SpecObject<JobSpec> | undefined): string[] {
  if (old !== undefined && job.metadata.generation === old.metadata.generation) return [];
  const ofName = old === undefined ? nameWarnings(job.metadata.name) : [];
  return [...ofName, ...specWarnings(job.spec, FieldPath.of('spec'))];
}

type CronJob = SpecObject<{ jobTemplate: { spec: JobSpec } }>;

export function cronJobWarnings(cronJob: CronJob, old: CronJob | undefined): string[] {
  if (old !== undefined && cronJob.metadata.generation === old.metadata.generation) return [];
  const ofName = old === undefined ? nameWarnings(cronJob.metadata.name) : [];
  return [
    ...ofName,
    ...specWarnings(cronJob.spec.jobTemplate.spec, FieldPath.of('spec', 'jobTemplate', 'spec')),
  ];
}

function specWarnings(spec: JobSpec, path: FieldPath): string[] {
  const isHuge =
    spec.completionMode === 'Indexed' &&
    (spec.completions ?? 0) > completionsMax &&
    (spec.parallelism ?? 0) > parallelismMax;
  const message =
    'In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4, Kubernetes might not be able to track completedIndexes when a big number of indexes fail';
  return [
    ...(isHuge ? [`${path}: ${message}`] : []),
    ...templateWarnings(spec.template, path.child('template')),
  ];
}
