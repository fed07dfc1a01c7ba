/** The back-off of a job after failures before it creates new pods: 10 s, 20 s, … 10 minutes; a success resets it. */

import type { Pod } from '../objects.ts';
import { finishedMs } from './job-pod.ts';

const firstMs = 10_000;
const maxMs = 600_000;

export interface FailureRecord {
  readonly failures: number;
  readonly lastFailureMs: number;
}

const clean: FailureRecord = { failures: 0, lastFailureMs: 0 };

/** Returns the record after counting these pods. */
export function nextRecord(
  before: FailureRecord | undefined,
  succeeded: readonly Pod[],
  failed: readonly Pod[],
): FailureRecord {
  const known = before ?? clean;
  if (failed.length === 0) return succeeded.length === 0 ? known : clean;
  const failedMs = failed.map(finishedMs).sort((a, b) => a - b);
  if (succeeded.length === 0)
    return { failures: known.failures + failed.length, lastFailureMs: failedMs.at(-1)! };
  const lastSuccessMs = Math.max(...succeeded.map(finishedMs));
  const since = failedMs.filter((ms) => ms > lastSuccessMs);
  return since.length === 0 ? clean : { failures: since.length, lastFailureMs: since.at(-1)! };
}

/** Returns the remaining time to wait. */
export function remainingMs({ failures, lastFailureMs }: FailureRecord, nowMs: number): number {
  if (failures === 0) return 0;
  const delayMs = Math.min(maxMs, firstMs * 2 ** (failures - 1));
  return Math.max(0, delayMs - (nowMs - lastFailureMs));
}
