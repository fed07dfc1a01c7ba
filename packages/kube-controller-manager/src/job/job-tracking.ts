/** Counts ended pods, removes their finalizers and writes the status of a job. */

import { deepEqual } from '@coxswain/apimachinery';
import type { Job, Pod } from '../objects.ts';
import { jobCondition, trueCondition, withJobCondition, type JobStatus } from './job-conditions.ts';
import { isIndexed, isTracked } from './job-pod.ts';
import { noteEndedPods, withSettled, type NotedPods } from './uncounted-pods.ts';
import type { JobRun } from './job-run.ts';

/** The order of the steps keeps the counts correct: see uncounted-pods.ts. */
export async function trackStatus(run: JobRun, resumed: boolean): Promise<boolean> {
  const before = run.job.status ?? {};
  let flush =
    resumed ||
    run.activeCount !== (before.active ?? 0) ||
    run.ready !== before.ready ||
    run.terminating !== before.terminating;
  Object.assign(run.status, {
    active: run.activeCount,
    ready: run.ready,
    terminating: run.terminating,
  });
  const finalized = new Set(
    run.options.pods
      .filter((pod) => isTracked(pod) && !run.options.released.has(pod.metadata.uid ?? ''))
      .map((pod) => pod.metadata.uid ?? ''),
  );
  flush = settle(run, finalized) || flush;
  const { ended, full, changed } = noteEnded(run);
  flush = writeIndexes(run, changed) || flush;
  flush = noteTargets(run) || flush;
  let job = run.job;
  if (flush || changed) {
    job = await writeStatus(run, job);
    run.options.saveRecord(run.census.record);
  }
  const failure = await releaseAll(run, ended, finalized);
  flush = settle(run, finalized);
  const finished = failure === undefined && !full && enactEnd(run);
  if (flush || finished) job = await writeStatus(run, job);
  countPods(run, before);
  if (failure !== undefined) throw failure;
  if (finished) announceEnd(run);
  return finished;
}

function countPods(run: JobRun, before: JobStatus): void {
  const { metrics } = run.options;
  const { succeeded = 0, failed = 0 } = run.status;
  metrics.podsFinished(run.job, 'succeeded', succeeded - (before.succeeded ?? 0));
  metrics.podsFinished(run.job, 'failed', failed - (before.failed ?? 0));
}

function settle(run: JobRun, finalized: ReadonlySet<string>): boolean {
  const settled = withSettled(run.status, finalized);
  if (settled === undefined) return false;
  run.status = settled;
  return true;
}

function noteEnded(run: JobRun): NotedPods {
  const noted = noteEndedPods({
    ...run.options,
    census: run.census,
    uncounted: run.status.uncountedTerminatedPods,
    finished: run.finished,
  });
  run.status.uncountedTerminatedPods = noted.uncounted;
  for (const action of noted.policyActions) run.options.metrics.failureHandled(action);
  return noted;
}

function writeIndexes(run: JobRun, changed: boolean): boolean {
  if (!isIndexed(run.job)) return changed;
  const { succeededIndexes, failedIndexes } = run.census;
  const completed = succeededIndexes.toString();
  const failed = failedIndexes?.toString();
  const isNew = completed !== (run.status.completedIndexes ?? '') || failed !== run.status.failedIndexes;
  run.status.succeeded = succeededIndexes.size;
  run.status.completedIndexes = completed;
  if (failed !== undefined) run.status.failedIndexes = failed;
  return changed || isNew;
}

/** Announces the outcome before the job ends, so that clients that wait for its pods know it. */
function noteTargets(run: JobRun): boolean {
  const { type, reason = '', message = '' } = run.finished ?? {};
  if (type !== 'FailureTarget' && type !== 'SuccessCriteriaMet') return false;
  const isNew = trueCondition(run.status, type) === undefined;
  if (isNew) run.status.conditions = [...(run.status.conditions ?? []), run.finished!];
  run.finished = jobCondition(
    type === 'FailureTarget' ? 'Failed' : 'Complete',
    'True',
    reason,
    message,
    run.nowMs,
  );
  return isNew;
}

async function releaseAll(run: JobRun, pods: readonly Pod[], finalized: Set<string>): Promise<unknown> {
  const results = await Promise.allSettled(
    pods.map(async (pod) => {
      await run.release(pod);
      finalized.delete(pod.metadata.uid ?? '');
    }),
  );
  return results.find((result) => result.status === 'rejected')?.reason;
}

function enactEnd(run: JobRun): boolean {
  const uncounted = run.status.uncountedTerminatedPods ?? {};
  const pending = (uncounted.succeeded?.length ?? 0) + (uncounted.failed?.length ?? 0);
  if (run.finished === undefined || pending > 0 || run.terminating > 0) return false;
  run.status = { ...withJobCondition(run.status, run.finished) };
  if (run.finished.type === 'Complete' && run.finished.lastTransitionTime !== undefined) {
    run.status.completionTime = run.finished.lastTransitionTime;
  }
  return true;
}

function announceEnd(run: JobRun): void {
  const { type, reason = '', message = '' } = run.finished!;
  run.options.metrics.finished(run.job, type === 'Complete', reason);
  if (type !== 'Complete') return run.event('Warning', reason, message);
  if (run.completions !== undefined && (run.status.succeeded ?? 0) > run.completions) {
    run.event(
      'Warning',
      'TooManySucceededPods',
      'Too many succeeded pods running after completion count reached',
    );
  }
  run.event('Normal', 'Completed', 'Job completed');
}

async function writeStatus(run: JobRun, job: Job): Promise<Job> {
  const status = trimmed(run.status);
  if (deepEqual(job.status, status)) return job;
  const written = await run.options.client.updateStatus({ ...job, status });
  run.options.wroteJob(written);
  return written;
}

/** Removes zeros and empty texts, which are not written. */
function trimmed(status: JobStatus): JobStatus {
  const { active, succeeded, failed, completedIndexes, ...rest } = status;
  return {
    ...rest,
    ...(active ? { active } : {}),
    ...(succeeded ? { succeeded } : {}),
    ...(failed ? { failed } : {}),
    ...(completedIndexes ? { completedIndexes } : {}),
  };
}
