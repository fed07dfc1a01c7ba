/** Summarizes the pods of a job: how many are running or have ended, and which indexes are complete. */

import type { Job, Pod } from '../objects.ts';
import { isActive, isReady, isTerminating } from '../pods/pod-state.ts';
import { nextRecord, type FailureRecord } from './failure-back-off.ts';
import { IndexSet } from './index-set.ts';
import type { JobStatus } from './job-conditions.ts';
import {
  allFailures,
  failureCount,
  finishedMs,
  indexOf,
  isFailedFor,
  isIndexed,
  isTracked,
  limitsEachIndex,
} from './job-pod.ts';
import { judgeFailure } from './policies.ts';

export interface JobCensus {
  readonly active: readonly Pod[];
  readonly ready: number;
  readonly terminating: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly record: FailureRecord;
  /** As in the status; empty for jobs without indexes. */
  readonly succeededBefore: IndexSet;
  readonly succeededIndexes: IndexSet;
  /** Only for jobs that limit the failures per index. */
  readonly failedIndexes: IndexSet | undefined;
  /** The last failed pod of each index to be retried; it carries the number of failures. */
  readonly replaceable: ReadonlyMap<number, Pod>;
}

export interface CensusOptions {
  readonly job: Job;
  readonly pods: readonly Pod[];
  readonly status: JobStatus;
  /** The uids of pods whose finalizer was removed but that the cache still shows with it. */
  readonly released: ReadonlySet<string>;
  readonly record: FailureRecord | undefined;
}

export function takeCensus(options: CensusOptions): JobCensus {
  const { job, pods, status } = options;
  const uncounted = status.uncountedTerminatedPods ?? {};
  const fresh = pods.filter((pod) => mayCount(pod, options));
  const isIn = (uids: readonly string[] | undefined, { metadata }: Pod) => uids?.includes(metadata.uid ?? '');
  const succeeded = fresh.filter((pod) => hasSucceeded(pod) && !isIn(uncounted.succeeded, pod));
  const failed = fresh.filter((pod) => isFailedFor(job, pod) && !isIn(uncounted.failed, pod));
  const counting = failed.filter((pod) => judgeFailure(job.spec?.podFailurePolicy, pod).counts);
  const active = pods.filter(isActive);
  const indexes = countIndexes(options, active);
  const inAll = (status.succeeded ?? 0) + succeeded.length + (uncounted.succeeded?.length ?? 0);
  return {
    active,
    ready: active.filter(isReady).length,
    terminating: pods.filter(isTerminating).length,
    failed: (status.failed ?? 0) + counting.length + (uncounted.failed?.length ?? 0),
    record: nextRecord(options.record, succeeded, failed),
    ...indexes,
    succeeded: isIndexed(job) ? indexes.succeededIndexes.size : inAll,
  };
}

/** Returns the index of the pod, if it is valid for the job. */
export function indexWithin(job: Job, pod: Pod): number | undefined {
  const index = indexOf(pod);
  return index !== undefined && index < (job.spec?.completions ?? 0) ? index : undefined;
}

const hasSucceeded = (pod: Pod): boolean => pod.status?.phase === 'Succeeded';

/** Whether it is not counted yet, and has an index of the job. */
function mayCount(pod: Pod, { job, released }: CensusOptions): boolean {
  if (!isTracked(pod) || released.has(pod.metadata.uid ?? '')) return false;
  return !isIndexed(job) || indexWithin(job, pod) !== undefined;
}

type IndexCensus = Pick<JobCensus, 'succeededBefore' | 'succeededIndexes' | 'failedIndexes' | 'replaceable'>;

const noIndexes: IndexCensus = {
  succeededBefore: IndexSet.empty,
  succeededIndexes: IndexSet.empty,
  failedIndexes: undefined,
  replaceable: new Map(),
};

function countIndexes(options: CensusOptions, active: readonly Pod[]): IndexCensus {
  const { job, pods, status } = options;
  if (!isIndexed(job)) return noIndexes;
  const completions = job.spec?.completions ?? 0;
  const tracked = pods.filter((pod) => isTracked(pod) && indexWithin(job, pod) !== undefined);
  const succeededBefore = IndexSet.parse(status.completedIndexes, completions);
  const succeededIndexes = succeededBefore.with(tracked.filter(hasSucceeded).map((pod) => indexOf(pod)!));
  if (!limitsEachIndex(job)) return { ...noIndexes, succeededBefore, succeededIndexes };
  const failedIndexes = IndexSet.parse(status.failedIndexes, completions).with(
    tracked.filter((pod) => indexFailed(job, pod)).map((pod) => indexOf(pod)!),
  );
  const busy = new Set(active.map(indexOf));
  const isOpen = (index: number): boolean =>
    !succeededIndexes.has(index) && !failedIndexes.has(index) && !busy.has(index);
  return {
    succeededBefore,
    succeededIndexes,
    failedIndexes,
    replaceable: findReplaceable(options, isOpen),
  };
}

function indexFailed(job: Job, pod: Pod): boolean {
  if (!isFailedFor(job, pod)) return false;
  const { action, counts } = judgeFailure(job.spec?.podFailurePolicy, pod);
  return action === 'FailIndex' || (counts && failureCount(pod) >= (job.spec?.backoffLimitPerIndex ?? 0));
}

function findReplaceable(
  options: CensusOptions,
  isOpen: (index: number) => boolean,
): ReadonlyMap<number, Pod> {
  const replaceable = new Map<number, Pod>();
  for (const pod of options.pods) {
    if (!mayCount(pod, options) || !isFailedFor(options.job, pod)) continue;
    const index = indexOf(pod)!;
    if (!isOpen(index)) continue;
    const known = replaceable.get(index);
    const isLater =
      known === undefined || (allFailures(known) <= allFailures(pod) && finishedMs(pod) >= finishedMs(known));
    if (isLater) replaceable.set(index, pod);
  }
  return replaceable;
}
