/** Reconciles one job: counts ended pods, creates or removes pods, and updates the status. */

import { formatTime } from '@coxswain/apimachinery';
import { isSuspended } from './job-pod.ts';
import { judge } from './job-verdict.ts';
import type { JobRun } from './job-run.ts';
import { stopPods, manageJob } from './job-pods.ts';
import { trackStatus } from './job-tracking.ts';

/** Returns the milliseconds after which to check again; `finished` is true when the job has ended. */
export async function reconcileJob(
  run: JobRun,
): Promise<{ readonly againMs?: number; readonly finished: boolean }> {
  const { satisfied } = run.options;
  if (!run.status.startTime && !isSuspended(run.job)) run.status.startTime = formatTime(run.nowMs);
  const { pods } = run.options;
  const verdict = judge({
    job: run.job,
    pods,
    status: run.status,
    census: run.census,
    nowMs: run.nowMs,
  });
  const { active, ready, succeeded, failed } = run.census;
  run.options.observer?.note?.({
    active: active.length,
    ready,
    succeeded,
    failed,
    finished: verdict.finished?.reason ?? verdict.finished?.type,
  });
  run.finished = verdict.finished;
  run.againMs = verdict.againMs;
  let failure: unknown;
  let resumed = false;
  if (run.finished !== undefined) failure = await stopPods(run, satisfied);
  else ({ failure, resumed } = await manageJob(run, satisfied));
  const finished = await trackStatus(run, resumed);
  if (failure !== undefined) throw failure;
  return { finished, ...(run.againMs === undefined ? {} : { againMs: run.againMs }) };
}
