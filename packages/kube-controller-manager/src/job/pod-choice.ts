/** Selects the surplus pods of a job, and the indexes that lack a pod. */
import type { Job, Pod } from '../objects.ts';
import { byDeletionOrder } from '../pods/deletion-order.ts';
import { isTerminating } from '../pods/pod-state.ts';
import { remainingMs } from './failure-back-off.ts';
import { indexWithin, type JobCensus } from './job-census.ts';
import { allFailures, finishedMs, indexOf, isIndexed, replacesOnlyFailed } from './job-pod.ts';

/** Returns at least `count` surplus pods, and in any case duplicates of an index. */
export function surplusPods(job: Job, active: readonly Pod[], count: number, nowMs: number): Pod[] {
  const ranked = byDeletionOrder(
    active.map((pod) => ({ pod, rank: 0 })),
    nowMs,
  ).map(({ pod }) => pod);
  if (!isIndexed(job)) return ranked.slice(0, count);
  const kept = new Map<number, Pod>();
  const removed: Pod[] = [];
  // Of several pods with one index, the last in deletion order is kept.
  for (const pod of ranked.toReversed()) {
    const index = indexWithin(job, pod);
    if (index === undefined || kept.has(index)) removed.push(pod);
    else kept.set(index, pod);
  }
  const rest = ranked.filter((pod) => !removed.includes(pod));
  return [...removed, ...rest.slice(0, Math.max(0, count - removed.length))];
}

/** Returns the first `count` indexes that have no pod and are not complete. */
export function pendingIndexes(job: Job, pods: readonly Pod[], census: JobCensus, count: number): number[] {
  let taken = census.succeededIndexes.with(indexesOf(census.active));
  if (replacesOnlyFailed(job)) taken = taken.with(indexesOf(pods.filter(isTerminating)));
  if (census.failedIndexes !== undefined) taken = taken.union(census.failedIndexes);
  return taken.firstMissing(count, job.spec?.completions ?? 0);
}

const indexesOf = (pods: readonly Pod[]): number[] =>
  pods.map(indexOf).filter((index) => index !== undefined);

/** With a back-off per index: returns the indexes that are due, or else when the next one is. */
export function dueIndexes(
  { replaceable }: JobCensus,
  indexes: readonly number[],
  nowMs: number,
): { readonly due: number[]; readonly againMs?: number } {
  const due: number[] = [];
  let soonestMs = Infinity;
  for (const index of indexes) {
    const replaced = replaceable.get(index);
    const record = replaced && { failures: allFailures(replaced) + 1, lastFailureMs: finishedMs(replaced) };
    const waitMs = record === undefined ? 0 : remainingMs(record, nowMs);
    if (waitMs === 0) due.push(index);
    else soonestMs = Math.min(soonestMs, waitMs);
  }
  return due.length === 0 && soonestMs < Infinity ? { due, againMs: soonestMs } : { due };
}
