import * as t from '@coxswain/schema';

export const JobCondition = t.struct('batch/v1.JobCondition', {
  type: t.always(1, t.named('v1.JobConditionType', t.string), { required: true }),
  status: t.always(2, t.named('v1.ConditionStatus', t.string), { required: true }),
  lastProbeTime: t.optional(3, t.time),
  lastTransitionTime: t.optional(4, t.time),
  reason: t.optional(5, t.string),
  message: t.optional(6, t.string),
});
export interface JobCondition extends t.Static<typeof JobCondition> {}

export const UncountedTerminatedPods = t.struct('batch/v1.UncountedTerminatedPods', {
  succeeded: t.optional(1, t.listSet(t.named('types.UID', t.string))),
  failed: t.optional(2, t.listSet(t.named('types.UID', t.string))),
});
export interface UncountedTerminatedPods extends t.Static<typeof UncountedTerminatedPods> {}

export const JobStatus = t.struct('batch/v1.JobStatus', {
  conditions: t.optional(1, t.atomicList(JobCondition), { patch: 'merge', patchKey: 'type' }),
  startTime: t.pointer(2, t.time),
  completionTime: t.pointer(3, t.time),
  active: t.optional(4, t.int32),
  succeeded: t.optional(5, t.int32),
  failed: t.optional(6, t.int32),
  terminating: t.pointer(11, t.int32),
  completedIndexes: t.optional(7, t.string),
  failedIndexes: t.pointer(10, t.string),
  uncountedTerminatedPods: t.pointer(8, UncountedTerminatedPods),
  ready: t.pointer(9, t.int32),
});
export interface JobStatus extends t.Static<typeof JobStatus> {}
