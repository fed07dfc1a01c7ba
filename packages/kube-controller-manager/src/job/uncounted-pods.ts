/**
 * Counts ended pods exactly once, even if interrupted: a pod is first recorded as uncounted, then its finalizer is
 * removed, and then it is counted.
 */
import type { Job, Pod } from '../objects.ts';
import { indexWithin, type JobCensus } from './job-census.ts';
import type { JobCondition, JobStatus } from './job-conditions.ts';
import { indexOf, isFailedFor, isIndexed, isTracked, limitsEachIndex } from './job-pod.ts';
import { judgeFailure } from './policies.ts';

/** The maximum number of pods recorded at once. */
const uncountedMax = 500;

/** Counts recorded pods that no longer have a finalizer; undefined if there are none. */
export function withSettled(status: JobStatus, finalized: ReadonlySet<string>): JobStatus | undefined {
  const { succeeded = [], failed = [] } = status.uncountedTerminatedPods ?? {};
  const stillSucceeded = succeeded.filter((uid) => finalized.has(uid));
  const stillFailed = failed.filter((uid) => finalized.has(uid));
  if (stillSucceeded.length === succeeded.length && stillFailed.length === failed.length) return undefined;
  return {
    ...status,
    succeeded: (status.succeeded ?? 0) + succeeded.length - stillSucceeded.length,
    failed: (status.failed ?? 0) + failed.length - stillFailed.length,
    uncountedTerminatedPods: uncountedPods(stillSucceeded, stillFailed),
  };
}

export interface EndedPods {
  readonly job: Job;
  readonly pods: readonly Pod[];
  readonly census: JobCensus;
  readonly uncounted: JobStatus['uncountedTerminatedPods'];
  /** Pods whose finalizer was removed but that the cache still shows with it. */
  readonly released: ReadonlySet<string>;
  /** The final condition of the job, if it ends. */
  readonly finished: JobCondition | undefined;
}

export interface NotedPods {
  /** All pods that have ended. */
  readonly ended: readonly Pod[];
  /** There were too many for one round. */
  readonly full: boolean;
  readonly changed: boolean;
  readonly uncounted: NonNullable<JobStatus['uncountedTerminatedPods']>;
  /** The action of the failure policy for each pod that it evaluated. */
  readonly policyActions: readonly string[];
}

/** Records pods that have ended since. */
export function noteEndedPods(facts: EndedPods): NotedPods {
  const { job, pods, census, uncounted, released } = facts;
  const succeeded = [...(uncounted?.succeeded ?? [])];
  const failed = [...(uncounted?.failed ?? [])];
  const ended: Pod[] = [];
  const policyActions: string[] = [];
  let newIndexes = 0;
  let changed = false;
  const noted = (full: boolean): NotedPods => ({
    ended,
    full,
    changed,
    uncounted: uncountedPods(succeeded, failed),
    policyActions,
  });
  const inOrder = isIndexed(job) ? pods.toSorted((a, b) => (indexOf(a) ?? -1) - (indexOf(b) ?? -1)) : pods;
  const isFull = () => newIndexes + succeeded.length + failed.length >= uncountedMax;
  for (const pod of inOrder) {
    // The limit applies to what is recorded, including indexes, and thus to the finalizers removed at once.
    if (ended.length > 0 && isFull()) return noted(true);
    const { uid = '' } = pod.metadata;
    if (!isTracked(pod) || released.has(uid) || !hasEnded(facts, pod)) continue;
    ended.push(pod);
    const index = indexWithin(job, pod);
    const counts = !isIndexed(job) || index !== undefined;
    if (pod.status?.phase === 'Succeeded' && !failed.includes(uid)) {
      if (isIndexed(job)) {
        if (index === undefined || census.succeededBefore.has(index)) continue;
        newIndexes++;
      } else if (succeeded.includes(uid)) continue;
      else succeeded.push(uid);
      changed = true;
    } else if (countsAsFailed(facts, pod) && counts && !failed.includes(uid)) {
      const { counts: isCounted, action } = judgeFailure(job.spec?.podFailurePolicy, pod);
      if (action !== undefined) policyActions.push(action);
      if (!isCounted) continue;
      failed.push(uid);
      changed = true;
    }
  }
  return noted(ended.length > 0 && isFull());
}

const uncountedPods = (succeeded: string[], failed: string[]) => ({
  ...(succeeded.length === 0 ? {} : { succeeded }),
  ...(failed.length === 0 ? {} : { failed }),
});

function countsAsFailed({ job, finished }: EndedPods, pod: Pod): boolean {
  const isSuccess = finished?.type === 'SuccessCriteriaMet';
  return isFailedFor(job, pod) || (finished !== undefined && !isSuccess);
}

function hasEnded({ job, census, finished }: EndedPods, pod: Pod): boolean {
  const isGoing = job.metadata.deletionTimestamp !== undefined;
  if (isGoing || finished !== undefined || pod.status?.phase === 'Succeeded') return true;
  if (!isFailedFor(job, pod)) return false;
  // The last failed pod of an index remains until its replacement has taken over its failure count.
  const index = indexOf(pod);
  return !limitsEachIndex(job) || index === undefined || census.replaceable.get(index) !== pod;
}
