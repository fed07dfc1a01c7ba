/** Removes the oldest finished jobs of a CronJob. */

import { trueCondition } from '../job/job-conditions.ts';
import type { Job } from '../objects.ts';
import type { CronJobRun } from './cron-job-run.ts';

export async function cleanUpFinishedJobs(run: CronJobRun): Promise<void> {
  const { successfulJobsHistoryLimit, failedJobsHistoryLimit } = run.cronJob.spec ?? {};
  await removeOldestJobs(run, 'Complete', successfulJobsHistoryLimit);
  await removeOldestJobs(run, 'Failed', failedJobsHistoryLimit);
}

async function removeOldestJobs(
  run: CronJobRun,
  end: 'Complete' | 'Failed',
  limit: number | null | undefined,
): Promise<void> {
  if (limit === undefined || limit === null) return;
  const ended = run.jobs.filter(({ status }) => trueCondition(status, end) !== undefined).sort(byStart);
  for (const job of ended.slice(0, Math.max(0, ended.length - limit))) await run.deleteJob(job);
}

/** Jobs that never started come last. */
function byStart(a: Job, b: Job): number {
  const [startA = '~', startB = '~'] = [a.status?.startTime ?? undefined, b.status?.startTime ?? undefined];
  if (startA !== startB) return startA < startB ? -1 : 1;
  return (a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1;
}
