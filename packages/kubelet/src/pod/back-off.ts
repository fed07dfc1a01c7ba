import type { ContainerRecord } from './container-record.ts';

/** After an exit, or a failed pull, the next try waits: not at all the first time, then 10 s, 20 s, … 5 min. */
export const backoffMsInitial = 10_000;
export const backoffMsMax = 300_000;
/** A container that ran for so long starts over with its back-off. */
const forgivenAfterMs = 2 * backoffMsMax;

/** Sets when the container may be started again after an exit at `nowMs`. */
export function backOffAfterExit(record: ContainerRecord, nowMs: number): void {
  if (nowMs - record.startedMs > forgivenAfterMs) record.backoffMs = 0;
  record.retryAtMs = nowMs + record.backoffMs;
  record.backoffMs = nextBackoff(record.backoffMs);
}

/** Sets when an image is pulled again. */
export function backOffAfterPull(record: ContainerRecord, nowMs: number): void {
  record.backoffMs = nextBackoff(record.backoffMs);
  record.retryAtMs = nowMs + record.backoffMs;
}

/** For a container that waited when the kubelet was stopped: about as long as it would have waited. */
export function resumeBackOff(record: ContainerRecord, endedMs: number): void {
  const waitMs = Math.min(backoffMsInitial * 2 ** Math.max(0, record.restarts - 1), backoffMsMax);
  record.retryAtMs = endedMs + waitMs;
  record.backoffMs = nextBackoff(waitMs);
}

const nextBackoff = (backoffMs: number): number =>
  backoffMs === 0 ? backoffMsInitial : Math.min(backoffMs * 2, backoffMsMax);
