/** Validates a job's status, but only the parts that a write changes: the stored status may violate the rules. */

import { omitted, semanticDeepEqual, type FieldError } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { immutableMessage, notNegative, pathOf, Errors } from '../../meta/checks.ts';
import { validateObjectMetaUpdate } from '../../meta/object-meta-validation.ts';
import { commonIndex, countIndexes } from './job-indexes.ts';
import type { JobSpec } from './job-spec.ts';
import { isTrue, type JobObject, type JobStatusShape } from './job-validation.ts';

const statusPath = pathOf('status');

export function validateJobStatus(job: JobObject, old: JobObject): FieldError[] {
  const errors = new Errors();
  validateObjectMetaUpdate(job.metadata, old.metadata, errors);
  for (const name of ['active', 'succeeded', 'failed', 'ready', 'terminating'] as const) {
    notNegative(job.status[name], statusPath, name, errors);
  }
  validateUncounted(job.status, errors);
  const now = factsOf(job.status);
  const before = factsOf(old.status);
  const changes = changesOf(job.status, old.status);
  validateConditions(job, now, before, changes, errors);
  validateIndexes(job, changes, errors);
  validateLast(job, now, before, changes, errors);
  validateTransitions(job, old, now, before, changes, errors);
  return errors;
}

interface Facts {
  readonly complete: boolean;
  readonly failed: boolean;
  readonly finished: boolean;
  readonly failureTarget: boolean;
  readonly criteriaMet: boolean;
}

function factsOf({ conditions }: JobStatusShape): Facts {
  const complete = isTrue(conditions, 'Complete');
  const failed = isTrue(conditions, 'Failed');
  return {
    complete,
    failed,
    finished: complete || failed,
    failureTarget: isTrue(conditions, 'FailureTarget'),
    criteriaMet: isTrue(conditions, 'SuccessCriteriaMet'),
  };
}

type Changes = Readonly<Record<keyof JobStatusShape, boolean>>;

function changesOf(status: JobStatusShape, old: JobStatusShape): Changes {
  const changed = (name: keyof JobStatusShape): boolean =>
    !semanticDeepEqual(status[name] ?? zeroOf(name), old[name] ?? zeroOf(name));
  return {
    conditions: changed('conditions'),
    startTime: changed('startTime'),
    completionTime: changed('completionTime'),
    active: changed('active'),
    succeeded: changed('succeeded'),
    failed: changed('failed'),
    terminating: changed('terminating'),
    completedIndexes: changed('completedIndexes'),
    failedIndexes: changed('failedIndexes'),
    uncountedTerminatedPods: changed('uncountedTerminatedPods'),
    ready: changed('ready'),
  };
}

const zeroOf = (name: keyof JobStatusShape): unknown =>
  name === 'active' ? 0 : name === 'completedIndexes' ? '' : null;

function validateUncounted({ uncountedTerminatedPods: pods }: JobStatusShape, errors: Errors): void {
  if (pods == null) return;
  const seen = new Set<string>();
  for (const name of ['succeeded', 'failed'] as const) {
    for (const [index, uid] of (pods[name] ?? []).entries()) {
      const path = statusPath.child('uncountedTerminatedPods', name).index(index);
      if (uid === '') errors.invalid(path, uid, 'must not be empty');
      else if (seen.has(uid)) errors.duplicate(path, uid);
      else seen.add(uid);
    }
  }
}

function conditionError(detail: string, errors: Errors): void {
  errors.invalid(statusPath.child('conditions'), omitted, detail);
}

function validateConditions(
  { spec, status }: JobObject,
  now: Facts,
  before: Facts,
  changes: Changes,
  errors: Errors,
): void {
  const completeChanged = now.complete !== before.complete;
  const failedChanged = now.failed !== before.failed;
  const finishedChanged = now.finished !== before.finished;
  const { startTime, completionTime } = status;
  const path = statusPath.child('completionTime');
  if ((completeChanged || failedChanged) && now.complete && now.failed) {
    conditionError('cannot set Complete=True and Failed=true conditions', errors);
  }
  if ((completeChanged || now.failureTarget !== before.failureTarget) && now.complete && now.failureTarget) {
    conditionError('cannot set Complete=True and FailureTarget=true conditions', errors);
  }
  if (completeChanged || changes.completionTime) {
    if (completionTime != null && !now.complete) {
      const detail = 'cannot set completionTime when there is no Complete=True condition';
      errors.invalid(path, completionTime, detail);
    }
    if (completionTime == null && now.complete) {
      errors.required(path, 'completionTime is required for Complete jobs');
    }
  }
  if (
    (changes.startTime || changes.completionTime) &&
    startTime != null &&
    completionTime != null &&
    completionTime < startTime
  ) {
    errors.invalid(path, completionTime, 'must be equal to or after `startTime`');
  }
  if ((failedChanged || changes.failedIndexes) && now.failed && !now.failureTarget) {
    conditionError('cannot set Failed=True condition without the FailureTarget=true condition', errors);
  }
  if ((completeChanged || now.criteriaMet !== before.criteriaMet) && now.complete && !now.criteriaMet) {
    conditionError(
      'cannot set Complete=True condition without the SuccessCriteriaMet=true condition',
      errors,
    );
  }
  validateFinished({ spec, status }, now.finished, finishedChanged, changes, errors);
}

function validateFinished(
  { spec, status }: { spec: JobSpec; status: JobStatusShape },
  finished: boolean,
  finishedChanged: boolean,
  changes: Changes,
  errors: Errors,
): void {
  if (!finished) return;
  if ((finishedChanged || changes.active) && (status.active ?? 0) > 0) {
    const detail = 'active>0 is invalid for finished job';
    errors.invalid(statusPath.child('active'), status.active, detail);
  }
  const isEmpty = spec.suspend === true && spec.completions === 0;
  if ((finishedChanged || changes.startTime) && !isEmpty && status.startTime == null) {
    const detail = 'startTime is required for finished job';
    errors.required(statusPath.child('startTime'), detail);
  }
  const pods = status.uncountedTerminatedPods;
  const uncounted = (pods?.failed ?? []).length + (pods?.succeeded ?? []).length;
  if ((finishedChanged || changes.uncountedTerminatedPods) && uncounted > 0) {
    const printed = { Succeeded: pods!.succeeded ?? null, Failed: pods!.failed ?? null };
    errors.invalid(statusPath.child('uncountedTerminatedPods'), printed, 'must be empty for finished job');
  }
}

function validateIndexes({ spec, status }: JobObject, changes: Changes, errors: Errors): void {
  const { completions, backoffLimitPerIndex } = spec;
  const { completedIndexes = '', failedIndexes } = status;
  const failedPath = statusPath.child('failedIndexes');
  if (changes.completedIndexes && completions != null) {
    validateIndexText('completedIndexes', completedIndexes, completions, errors);
  }
  if (changes.failedIndexes && completions != null && backoffLimitPerIndex != null && failedIndexes != null) {
    validateIndexText('failedIndexes', failedIndexes, completions, errors);
  }
  if (changes.completedIndexes && completedIndexes !== '' && spec.completionMode !== 'Indexed') {
    errors.invalid(
      statusPath.child('completedIndexes'),
      completedIndexes,
      'cannot set non-empty completedIndexes when non-indexed completion mode',
    );
  }
  if (failedIndexes == null) return;
  if (changes.failedIndexes && backoffLimitPerIndex == null) {
    const detail = 'cannot set non-null failedIndexes when backoffLimitPerIndex is null';
    errors.invalid(failedPath, failedIndexes, detail);
  }
  if ((changes.failedIndexes || changes.completedIndexes) && completions != null) {
    const index = commonIndex(completedIndexes, failedIndexes, completions);
    if (index === undefined) return;
    const detail = `failedIndexes and completedIndexes overlap at index: ${index}`;
    errors.invalid(failedPath, failedIndexes, detail);
  }
}

function validateIndexText(name: string, text: string, completions: number, errors: Errors): void {
  try {
    countIndexes(text, completions);
  } catch (error) {
    const detail = `error parsing ${name}: ${messageOf(error)}`;
    errors.invalid(statusPath.child(name), text, detail);
  }
}

function validateLast(
  { spec, status }: JobObject,
  now: Facts,
  before: Facts,
  changes: Changes,
  errors: Errors,
): void {
  const finishedChanged = now.finished !== before.finished;
  if ((finishedChanged || changes.terminating) && (status.terminating ?? 0) > 0 && now.finished) {
    const detail = 'terminating>0 is invalid for finished job';
    errors.invalid(statusPath.child('terminating'), status.terminating, detail);
  }
  if ((changes.ready || changes.active) && status.ready != null && status.ready > (status.active ?? 0)) {
    const detail = 'cannot set more ready pods than active';
    errors.invalid(statusPath.child('ready'), status.ready, detail);
  }
  if (now.criteriaMet && now.failed) {
    conditionError('cannot set SuccessCriteriaMet=True and Failed=true conditions', errors);
  }
  if (now.criteriaMet && now.failureTarget) {
    conditionError('cannot set SuccessCriteriaMet=True and FailureTarget=true conditions', errors);
  }
  if (spec.successPolicy != null && !now.criteriaMet && now.complete) {
    conditionError(
      'cannot set Complete=True for Job with SuccessPolicy unless SuccessCriteriaMet=True',
      errors,
    );
  }
}

function validateTransitions(
  job: JobObject,
  old: JobObject,
  now: Facts,
  before: Facts,
  changes: Changes,
  errors: Errors,
): void {
  const { spec, status } = job;
  for (const [type, was, is] of [
    ['Failed', before.failed, now.failed],
    ['Complete', before.complete, now.complete],
    ['FailureTarget', before.failureTarget, now.failureTarget],
  ] as const) {
    if (was && !is) conditionError(`cannot disable the terminal ${type}=True condition`, errors);
  }
  const isScalable = spec.completionMode === 'Indexed' && spec.completions === spec.parallelism;
  for (const name of isScalable ? (['failed'] as const) : (['failed', 'succeeded'] as const)) {
    if ((status[name] ?? 0) >= (old.status[name] ?? 0)) continue;
    const detail = `cannot decrease the ${name} counter`;
    errors.invalid(statusPath.child(name), status[name] ?? 0, detail);
  }
  if (status.completionTime != null && old.status.completionTime != null && changes.completionTime) {
    errors.invalid(statusPath.child('completionTime'), status.completionTime, immutableMessage);
  }
  const isResuming =
    isTrue(old.status.conditions, 'Suspended') &&
    (status.conditions?.some(({ type, status: is }) => type === 'Suspended' && is === 'False') ?? false);
  if (changes.startTime && !isResuming && old.status.startTime != null && !spec.suspend) {
    const detail = 'field is immutable for unsuspended job once set';
    errors.invalid(statusPath.child('startTime'), status.startTime ?? null, detail);
  }
  if (before.criteriaMet && !now.criteriaMet) {
    conditionError('cannot disable the SuccessCriteriaMet=True condition', errors);
  }
  if (before.complete && !before.criteriaMet && now.criteriaMet) {
    conditionError('cannot set SuccessCriteriaMet=True for Job already has Complete=true conditions', errors);
  }
}
