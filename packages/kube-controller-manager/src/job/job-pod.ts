/** Facts that a job reads from its pods. */

import { epochMsOf } from '@coxswain/apimachinery';
import type { Job, Pod } from '../objects.ts';
import { podCondition } from '../pods/pod-state.ts';

export const trackingFinalizer = 'batch.kubernetes.io/job-tracking';
export const indexAnnotation = 'batch.kubernetes.io/job-completion-index';
export const failureCountAnnotation = 'batch.kubernetes.io/job-index-failure-count';
export const ignoredFailureCountAnnotation = 'batch.kubernetes.io/job-index-ignored-failure-count';

export const isIndexed = ({ spec }: Job): boolean => spec?.completionMode === 'Indexed';
export const limitsEachIndex = ({ spec }: Job): boolean => spec?.backoffLimitPerIndex !== undefined;
export const isSuspended = ({ spec }: Job): boolean => spec?.suspend === true;

/** Whether only failed pods are replaced; otherwise terminating ones are, too. */
export const replacesOnlyFailed = ({ spec }: Job): boolean =>
  spec?.podReplacementPolicy === 'Failed' ||
  (spec?.podFailurePolicy !== undefined && spec.podFailurePolicy !== null);

export const isTracked = ({ metadata }: Pod): boolean =>
  metadata.finalizers?.includes(trackingFinalizer) ?? false;

export function indexOf({ metadata }: Pod): number | undefined {
  const text = metadata.annotations?.[indexAnnotation];
  return text !== undefined && /^\+?[0-9]+$/.test(text) ? Number(text) : undefined;
}

export function isFailedFor(job: Job, pod: Pod): boolean {
  if (pod.status?.phase === 'Failed') return true;
  if (replacesOnlyFailed(job)) return false;
  return pod.metadata.deletionTimestamp !== undefined && pod.status?.phase !== 'Succeeded';
}

export const failureCount = (pod: Pod): number => countIn(pod, failureCountAnnotation);
export const allFailures = (pod: Pod): number => failureCount(pod) + ignoredFailureCount(pod);
export const ignoredFailureCount = (pod: Pod): number => countIn(pod, ignoredFailureCountAnnotation);

function countIn({ metadata }: Pod, annotation: string): number {
  const text = metadata.annotations?.[annotation];
  return text !== undefined && /^\+?[0-9]+$/.test(text) && Number(text) < 2 ** 31 ? Number(text) : 0;
}

/** When its containers ended, as far as known, in milliseconds since the epoch. */
export function finishedMs(pod: Pod): number {
  const ended = containersEndedMs(pod);
  if (ended !== undefined) return ended;
  const ready = podCondition(pod, 'Ready');
  if (ready?.status === 'False' && ready.lastTransitionTime) return epochMsOf(ready.lastTransitionTime);
  const { deletionTimestamp, deletionGracePeriodSeconds = 0, creationTimestamp } = pod.metadata;
  if (deletionTimestamp !== undefined)
    return epochMsOf(deletionTimestamp) - deletionGracePeriodSeconds * 1000;
  return creationTimestamp === undefined ? 0 : epochMsOf(creationTimestamp);
}

function containersEndedMs({ spec, status }: Pod): number | undefined {
  const sidecars = new Set(
    (spec?.initContainers ?? [])
      .filter((container) => container.restartPolicy === 'Always')
      .map(({ name }) => name),
  );
  const regular = status?.containerStatuses ?? [];
  const statuses = [
    ...regular,
    ...(status?.initContainerStatuses ?? []).filter(({ name }) => sidecars.has(name)),
  ];
  let latest: number | undefined;
  for (const { state } of statuses) {
    const finishedAt = state?.terminated?.finishedAt;
    if (!finishedAt) return undefined;
    latest = Math.max(latest ?? 0, epochMsOf(finishedAt));
  }
  return latest;
}
