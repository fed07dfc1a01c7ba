/** Interprets the status of a pod for its controllers. */

import { epochMsOf } from '@coxswain/apimachinery';
import type { Pod } from '../objects.ts';

/** Whether it is neither finished nor terminating. */
export const isActive = (pod: Pod): boolean =>
  !isFinished(pod) && pod.metadata.deletionTimestamp === undefined;

export const isFinished = (pod: Pod): boolean =>
  pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed';

export const isTerminating = (pod: Pod): boolean =>
  !isFinished(pod) && pod.metadata.deletionTimestamp !== undefined;

export const isReady = (pod: Pod): boolean => podCondition(pod, 'Ready')?.status === 'True';

export const podCondition = (pod: Pod, type: string) =>
  pod.status?.conditions?.find((condition) => condition.type === type);

/** When the pod became ready, in milliseconds since the epoch; undefined if it is not. */
export function readySinceMs(pod: Pod): number | undefined {
  const ready = podCondition(pod, 'Ready');
  if (ready?.status !== 'True' || !ready.lastTransitionTime) return undefined;
  return epochMsOf(ready.lastTransitionTime);
}

/** Whether it has been ready for long enough. */
export function isAvailable(pod: Pod, minReadySeconds: number, nowMs: number): boolean {
  if (!isReady(pod)) return false;
  if (minReadySeconds === 0) return true;
  const since = readySinceMs(pod);
  return since !== undefined && since + minReadySeconds * 1000 <= nowMs;
}

/** The time until the first ready pod becomes available; undefined if none is waiting. */
export function nextAvailabilityMs(
  pods: readonly Pod[],
  minReadySeconds: number,
  nowMs: number,
): number | undefined {
  let soonest: number | undefined;
  if (minReadySeconds === 0) return undefined;
  for (const pod of pods) {
    const since = readySinceMs(pod);
    if (since === undefined || isAvailable(pod, minReadySeconds, nowMs)) continue;
    const leftMs = since + minReadySeconds * 1000 - nowMs;
    if (soonest === undefined || leftMs < soonest) soonest = leftMs;
  }
  return soonest;
}
