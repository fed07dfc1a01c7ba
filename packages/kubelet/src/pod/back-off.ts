import type { ContainerRecord } from './container-record.ts';

/** After an exit, or a failed pull, the next try waits: not at all the first time, then 10 s, 20 s, … 5 min. */
export const backoffMsInitial = 10_000;
export const backoffMsMax = 300_000;

/**
 * Sets when the container may be started again after an exit at `nowMs`. One that ran for twice the longest wait starts
 * over.
 */
export function backOffAfterExit(record: ContainerRecord, nowMs: number, msMax = backoffMsMax): void {
  if (nowMs - record.startedMs > 2 * msMax) record.backoffMs = 0;
  record.retryAtMs = nowMs + record.backoffMs;
  record.backoffMs = nextBackoff(record.backoffMs, msMax);
}

/** Sets when an image is pulled again. */
export function backOffAfterPull(record: ContainerRecord, nowMs: number): void {
  record.backoffMs = nextBackoff(record.backoffMs);
  record.retryAtMs = nowMs + record.backoffMs;
}

/** For a container that waited when the kubelet was stopped: about as long as it would have waited. */
export function resumeBackOff(record: ContainerRecord, endedMs: number, msMax = backoffMsMax): void {
  const waitMs = waitAfter(record.restarts, msMax);
  record.retryAtMs = endedMs + waitMs;
  record.backoffMs = nextBackoff(waitMs, msMax);
}

/** For a container that ran when the kubelet was stopped: its next exit waits about as long as it would have. */
export function keepBackOff(record: ContainerRecord): void {
  record.backoffMs = record.restarts === 0 ? 0 : waitAfter(record.restarts);
}

const waitAfter = (restarts: number, msMax = backoffMsMax): number =>
  Math.min(backoffMsInitial * 2 ** Math.max(0, restarts - 1), msMax);

const nextBackoff = (backoffMs: number, msMax = backoffMsMax): number =>
  Math.min(backoffMs === 0 ? backoffMsInitial : backoffMs * 2, msMax);
