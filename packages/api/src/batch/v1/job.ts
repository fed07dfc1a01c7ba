import {
  always,
  atomicList,
  int32,
  kind,
  listSet,
  ObjectMeta,
  optional,
  pointer,
  string,
  struct,
  time,
  named,
} from '@coxswain/schema';
import type { Static } from '@coxswain/schema';
import { JobSpec } from './job-spec.ts';
import { defaultJob } from './job-defaults.ts';
import { jobColumns } from './job-columns.ts';
import { validateJob } from './job-validation.ts';
import { validateJobStatus } from './job-status-validation.ts';
import { jobWarnings } from './job-warnings.ts';

export const JobCondition = struct('batch/v1.JobCondition', {
  type: always(1, named('v1.JobConditionType', string), { required: true }),
  status: always(2, named('v1.ConditionStatus', string), { required: true }),
  lastProbeTime: optional(3, time),
  lastTransitionTime: optional(4, time),
  reason: optional(5, string),
  message: optional(6, string),
});
export interface JobCondition extends Static<typeof JobCondition> {}

export const UncountedTerminatedPods = struct('batch/v1.UncountedTerminatedPods', {
  succeeded: optional(1, listSet(named('types.UID', string))),
  failed: optional(2, listSet(named('types.UID', string))),
});
export interface UncountedTerminatedPods extends Static<typeof UncountedTerminatedPods> {}

export const JobStatus = struct('batch/v1.JobStatus', {
  conditions: optional(1, atomicList(JobCondition), { patch: 'merge', patchKey: 'type' }),
  startTime: pointer(2, time),
  completionTime: pointer(3, time),
  active: optional(4, int32),
  succeeded: optional(5, int32),
  failed: optional(6, int32),
  terminating: pointer(11, int32),
  completedIndexes: optional(7, string),
  failedIndexes: pointer(10, string),
  uncountedTerminatedPods: pointer(8, UncountedTerminatedPods),
  ready: pointer(9, int32),
});
export interface JobStatus extends Static<typeof JobStatus> {}

export const Job = kind(
  'batch/v1.Job',
  'batch/v1',
  { plural: 'jobs', categories: ['all'], namespaced: true },
  {
    metadata: optional(1, ObjectMeta, { go: 'ObjectMeta' }),
    spec: optional(2, JobSpec),
    status: optional(3, JobStatus),
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
export interface Job extends Static<typeof Job> {}
