import type { ContainerRecord } from './container-record.ts';

/** The delay after an exit or a failed pull: none the first time, then 10 s, 20 s, … 5 min. */
export const backoffMsInitial = 10_000;
export const backoffMsMax = 300_000;

/**
 * Sets when a container may be restarted after an exit at `nowMs`. The back-off is reset if it ran for twice the
 * maximum delay.
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

/** For a container that was waiting when the kubelet stopped: continues with about the same delay. */
export function resumeBackOff(record: ContainerRecord, endedMs: number, msMax = backoffMsMax): void {
  const waitMs = waitAfter(record.restarts, msMax);
  record.retryAtMs = endedMs + waitMs;
  record.backoffMs = nextBackoff(waitMs, msMax);
}

/** For a container that was running when the kubelet stopped: keeps about the same delay for its next exit. */
export function keepBackOff(record: ContainerRecord): void {
  record.backoffMs = record.restarts === 0 ? 0 : waitAfter(record.restarts);
}

const waitAfter = (restarts: number, msMax = backoffMsMax): number =>
  Math.min(backoffMsInitial * 2 ** Math.max(0, restarts - 1), msMax);

const nextBackoff = (backoffMs: number, msMax = backoffMsMax): number =>
  Math.min(backoffMs === 0 ? backoffMsInitial : backoffMs * 2, msMax);
