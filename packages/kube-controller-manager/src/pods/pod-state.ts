/** What a pod's status means to those who manage it. */

import { epochMsOf } from '@coxswain/apimachinery';
import type { Pod } from '../objects.ts';

/** Neither finished nor about to go. */
export const isActive = (pod: Pod): boolean =>
  !isFinished(pod) && pod.metadata.deletionTimestamp === undefined;

export const isFinished = (pod: Pod): boolean =>
  pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed';

export const isTerminating = (pod: Pod): boolean =>
  !isFinished(pod) && pod.metadata.deletionTimestamp !== undefined;

export const isReady = (pod: Pod): boolean => podCondition(pod, 'Ready')?.status === 'True';

export const podCondition = (pod: Pod, type: string) =>
  pod.status?.conditions?.find((condition) => condition.type === type);

/** Milliseconds since the epoch at which the pod became ready; undefined when it is not. */
export function readySinceMs(pod: Pod): number | undefined {
  const ready = podCondition(pod, 'Ready');
  if (ready?.status !== 'True' || !ready.lastTransitionTime) return undefined;
  return epochMsOf(ready.lastTransitionTime);
}

/** Ready for so long that it may be counted on. */
export function isAvailable(pod: Pod, minReadySeconds: number, nowMs: number): boolean {
  if (!isReady(pod)) return false;
  if (minReadySeconds === 0) return true;
  const since = readySinceMs(pod);
  return since !== undefined && since + minReadySeconds * 1000 <= nowMs;
}

/** Until the first of the ready pods becomes available; undefined when none is waiting. */
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
