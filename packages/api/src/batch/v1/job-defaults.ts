/** Defaults of jobs that depend on other values. */

import type { ObjectMeta } from '@coxswain/schema';
import { defaultPodTemplate } from '../../core/v1/pod/pod-defaults.ts';
import type { JobSpec } from './job-spec.ts';

export function defaultJob(job: { metadata: ObjectMeta; spec: JobSpec }): void {
  const { spec } = job;
  if (spec.parallelism == null) spec.completions ??= 1;
  spec.parallelism ??= 1;
  spec.backoffLimit ??= spec.backoffLimitPerIndex == null ? 6 : int32Max;
  const labels = spec.template.metadata?.labels;
  if (labels != null && Object.keys(job.metadata?.labels ?? {}).length === 0) {
    job.metadata ??= {} as ObjectMeta;
    // The same object, not a copy: labels that the server adds to the template are added to the job as well.
    job.metadata.labels = labels;
  }
  spec.completionMode ??= 'NonIndexed';
  spec.suspend ??= false;
  spec.podReplacementPolicy ??= spec.podFailurePolicy == null ? 'TerminatingOrFailed' : 'Failed';
  spec.manualSelector ??= false;
  defaultJobSpec(spec);
}

/** Also applied to a CronJob's template. */
export function defaultJobSpec(spec: JobSpec): void {
  defaultPodTemplate(spec.template);
}

const int32Max = 2 ** 31 - 1;
