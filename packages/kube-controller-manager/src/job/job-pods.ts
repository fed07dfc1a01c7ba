/** Creates and deletes a job's pods. */

import { formatTime, ignoring, isStatusError } from '@coxswain/apimachinery';
import { objectKey } from '@coxswain/client';
import type { Pod } from '../objects.ts';
import { isNamespaceTerminating } from '../pods/pod-control.ts';
import { isReady } from '../pods/pod-state.ts';
import { slowStart } from '../pods/slow-start.ts';
import { remainingMs } from './failure-back-off.ts';
import { jobCondition, withJobCondition } from './job-conditions.ts';
import { isIndexed, isSuspended, limitsEachIndex, replacesOnlyFailed } from './job-pod.ts';
import { jobKind, podMaker } from './job-template.ts';
import { dueIndexes, pendingIndexes, surplusPods } from './pod-choice.ts';
import type { JobRun } from './job-run.ts';

/** The maximum number of pods created or deleted per sync. */
const podsPerSyncMax = 500;

/** Deletes all active pods; if that succeeds, the job can end. */
export async function stopPods(run: JobRun, satisfied: boolean): Promise<unknown> {
  const results = await Promise.allSettled(run.census.active.map((pod) => deletePod(run, pod)));
  const deleted = results.filter((result) => result.status === 'fulfilled').length;
  if (deleted !== run.activeCount || !satisfied) run.finished = undefined;
  run.activeCount -= deleted;
  run.terminating += deleted;
  run.ready -= run.census.active.filter(isReady).length;
  return results.find((result) => result.status === 'rejected')?.reason;
}

async function deletePod(run: JobRun, pod: Pod): Promise<void> {
  await ignoring('NotFound', run.options.control.delete(run.job, jobKind, pod));
}

export async function manageJob(
  run: JobRun,
  satisfied: boolean,
): Promise<{ failure: unknown; resumed: boolean }> {
  const manages = satisfied && run.job.metadata.deletionTimestamp === undefined;
  const failure = manages ? await adjustPods(run) : undefined;
  const enough =
    run.completions === undefined ? run.census.succeeded > 0 : run.census.succeeded >= run.completions;
  if (enough && run.activeCount === 0) {
    const message = 'Reached expected number of succeeded pods';
    run.finished = jobCondition('SuccessCriteriaMet', 'True', 'CompletionsReached', message, run.nowMs);
    return { failure, resumed: false };
  }
  return { failure, resumed: manages && noteSuspension(run) };
}

function noteSuspension(run: JobRun): boolean {
  const suspended = isSuspended(run.job);
  const condition = suspended
    ? jobCondition('Suspended', 'True', 'JobSuspended', 'Job suspended', run.nowMs)
    : jobCondition('Suspended', 'False', 'JobResumed', 'Job resumed', run.nowMs);
  const changed = withJobCondition(run.status, condition);
  if (changed === run.status) return false;
  run.status = { ...changed };
  run.event('Normal', suspended ? 'Suspended' : 'Resumed', suspended ? 'Job suspended' : 'Job resumed');
  if (!suspended) run.status.startTime = formatTime(run.nowMs);
  else delete run.status.startTime;
  return true;
}

async function adjustPods(run: JobRun): Promise<unknown> {
  if (isSuspended(run.job)) {
    run.action = 'pods_deleted';
    return removePods(run, chooseSurplus(run, run.activeCount));
  }
  const wanted = wantedActive(run);
  const surplus = chooseSurplus(run, Math.max(0, run.activeCount - wanted)).slice(0, podsPerSyncMax);
  if (surplus.length > 0) {
    run.action = 'pods_deleted';
    return removePods(run, surplus);
  }
  const stopping = replacesOnlyFailed(run.job) ? run.terminating : 0;
  const missing = wanted - stopping - run.activeCount;
  run.action = missing > 0 ? 'pods_created' : 'tracking';
  return missing > 0 ? createPods(run, Math.min(missing, podsPerSyncMax)) : undefined;
}

function chooseSurplus(run: JobRun, count: number): Pod[] {
  return surplusPods(run.job, run.census.active, count, run.nowMs);
}

function wantedActive(run: JobRun): number {
  const parallelism = run.job.spec?.parallelism ?? 1;
  if (run.completions === undefined) return run.census.succeeded > 0 ? run.activeCount : parallelism;
  return Math.max(0, Math.min(parallelism, run.completions - run.census.succeeded));
}

async function removePods(run: JobRun, pods: readonly Pod[]): Promise<unknown> {
  if (pods.length === 0) return undefined;
  const { expectations, key } = run.options;
  expectations.expectDeletions(key, pods.map(objectKey));
  const results = await Promise.allSettled(
    pods.map(async (pod) => {
      try {
        await run.release(pod);
        if (isReady(pod)) run.ready--;
        await run.options.control.delete(run.job, jobKind, pod);
      } catch (error) {
        expectations.deletionObserved(key, objectKey(pod));
        if (!isStatusError(error, 'NotFound')) throw error;
      }
    }),
  );
  const removed = results.filter((result) => result.status === 'fulfilled').length;
  run.activeCount -= removed;
  run.terminating += removed;
  return results.find((result) => result.status === 'rejected')?.reason;
}

async function createPods(run: JobRun, missing: number): Promise<unknown> {
  const { expectations, key, control } = run.options;
  if (!limitsEachIndex(run.job)) {
    const waitMs = remainingMs(run.census.record, run.nowMs);
    if (waitMs > 0) return void run.requeueAfter(waitMs);
  }
  const indexes = isIndexed(run.job) ? indexesToFill(run, missing) : undefined;
  const count = indexes?.length ?? missing;
  if (count === 0) return undefined;
  expectations.expectCreations(key, count);
  const make = podMaker(run.job);
  const { succeeded, failure } = await slowStart(count, async (at) => {
    const index = indexes?.[at];
    const pod = make(index, index === undefined ? undefined : run.census.replaceable.get(index));
    try {
      await control.create(run.job, jobKind, pod);
    } catch (error) {
      if (!isNamespaceTerminating(error)) throw error;
    }
  });
  expectations.creationObserved(key, count - succeeded);
  run.activeCount += succeeded;
  const { metrics } = run.options;
  const reason = creationReason(run);
  metrics.podsCreated(reason, 'succeeded', succeeded);
  metrics.podsCreated(reason, 'failed', failure === undefined ? 0 : count - succeeded);
  return failure;
}

function creationReason(run: JobRun): string {
  const { failed } = run.census;
  if (replacesOnlyFailed(run.job) && failed > 0) return 'recreate_failed';
  return failed > 0 || run.terminating > 0 ? 'recreate_terminating_or_failed' : 'new';
}

/** Returns indexes without a pod whose back-off is over. */
function indexesToFill(run: JobRun, count: number): number[] {
  const pending = pendingIndexes(run.job, run.options.pods, run.census, count);
  if (!limitsEachIndex(run.job)) return pending;
  const { due, againMs } = dueIndexes(run.census, pending, run.nowMs);
  if (againMs !== undefined) run.requeueAfter(againMs);
  return due;
}
