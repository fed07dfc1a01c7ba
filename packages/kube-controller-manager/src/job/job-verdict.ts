/** Determines whether a job has ended, and how. */

import { epochMsOf } from '@coxswain/apimachinery';
import type { Job, Pod } from '../objects.ts';
import type { JobCensus } from './job-census.ts';
import { jobCondition, trueCondition, type JobCondition, type JobStatus } from './job-conditions.ts';
import { isFailedFor, isIndexed, isSuspended } from './job-pod.ts';
import { judgeFailure, successMessage } from './policies.ts';

export interface JobVerdict {
  readonly finished?: JobCondition;
  /** When the deadline expires, in milliseconds. */
  readonly againMs?: number;
}

export interface Evidence {
  readonly job: Job;
  readonly pods: readonly Pod[];
  readonly status: JobStatus;
  readonly census: JobCensus;
  readonly nowMs: number;
}

export function judge(evidence: Evidence): JobVerdict {
  const decided = trueCondition(evidence.status, 'SuccessCriteriaMet') ?? failurePending(evidence);
  if (decided !== undefined) return { finished: decided };
  const exceeded = judgeLimits(evidence);
  const finished = exceeded.finished ?? judgeIndexes(evidence);
  return finished === undefined ? exceeded : { ...exceeded, finished };
}

const failure = ({ nowMs }: Evidence, reason: string, message: string): JobCondition =>
  jobCondition('FailureTarget', 'True', reason, message, nowMs);

/** The job was found to fail earlier, or the pod failure policy requires it for one of its pods. */
function failurePending(evidence: Evidence): JobCondition | undefined {
  const { job, pods, status, nowMs } = evidence;
  const target = trueCondition(status, 'FailureTarget');
  if (target !== undefined) {
    return jobCondition('Failed', 'True', target.reason ?? '', target.message ?? '', nowMs);
  }
  for (const pod of pods) {
    if (!isFailedFor(job, pod)) continue;
    const { failJob } = judgeFailure(job.spec?.podFailurePolicy, pod);
    if (failJob !== undefined) return failure(evidence, 'PodFailurePolicy', failJob);
  }
  return undefined;
}

function judgeLimits(evidence: Evidence): JobVerdict {
  const { job, status, census, nowMs } = evidence;
  const { backoffLimit = 6, activeDeadlineSeconds } = job.spec ?? {};
  if (census.failed > backoffLimit || restartsExceed(evidence, backoffLimit)) {
    const message = 'Job has reached the specified backoff limit';
    return { finished: failure(evidence, 'BackoffLimitExceeded', message) };
  }
  const hasDeadline = activeDeadlineSeconds !== undefined && activeDeadlineSeconds !== null;
  if (!hasDeadline || isSuspended(job) || !status.startTime) return {};
  const leftMs = epochMsOf(status.startTime) + activeDeadlineSeconds * 1000 - nowMs;
  if (leftMs > 0) return { againMs: leftMs };
  const message = 'Job was active longer than specified deadline';
  return { finished: failure(evidence, 'DeadlineExceeded', message) };
}

/** If pods restart their containers themselves, these restarts count. */
function restartsExceed({ job, pods }: Evidence, limit: number): boolean {
  if (job.spec?.template?.spec?.restartPolicy !== 'OnFailure') return false;
  let restarts = 0;
  for (const { status } of pods) {
    if (status?.phase !== 'Running' && status?.phase !== 'Pending') continue;
    for (const one of [...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? [])])
      restarts += one.restartCount ?? 0;
  }
  return limit === 0 ? restarts > 0 : restarts >= limit;
}

function judgeIndexes(evidence: Evidence): JobCondition | undefined {
  const { job, census, nowMs } = evidence;
  if (!isIndexed(job)) return undefined;
  const failed = census.failedIndexes?.size ?? 0;
  if (failed > (job.spec?.maxFailedIndexes ?? Infinity)) {
    const message = 'Job has exceeded the specified maximal number of failed indexes';
    return failure(evidence, 'MaxFailedIndexesExceeded', message);
  }
  if (failed > 0 && failed + census.succeededIndexes.size >= (job.spec?.completions ?? 0)) {
    return failure(evidence, 'FailedIndexes', 'Job has failed indexes');
  }
  const message = successMessage(job, census.succeededIndexes);
  if (message === undefined) return undefined;
  return jobCondition('SuccessCriteriaMet', 'True', 'SuccessPolicy', message, nowMs);
}
