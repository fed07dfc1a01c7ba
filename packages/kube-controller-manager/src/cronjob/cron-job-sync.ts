/** Reconciles one CronJob: updates its active jobs, starts a job that is due, and removes old ones. */

import { deepEqual, isStatusError } from '@coxswain/apimachinery';
import { trueCondition } from '../job/job-conditions.ts';
import { resources, type CronJob, type Job } from '../objects.ts';
import { type CronJobRun, trimmed } from './cron-job-run.ts';
import { hasKnownZone, parsedSchedule, startDueJob } from './scheduling.ts';
import { cleanUpFinishedJobs } from './history-limits.ts';

export async function reconcileCronJob(run: CronJobRun): Promise<number | void> {
  const before = run.cronJob.status;
  let againMs: number | undefined;
  let failure: unknown;
  try {
    againMs = await syncSchedule(run);
  } catch (error) {
    failure = error;
  }
  await cleanUpFinishedJobs(run);
  if (!deepEqual(trimmed(before), trimmed(run.cronJob.status))) await run.writeStatus();
  if (failure !== undefined) throw failure;
  return againMs;
}

async function syncSchedule(run: CronJobRun): Promise<number | undefined> {
  await updateActiveJobs(run);
  await forgetMissingJobs(run);
  const { metadata, spec } = run.cronJob;
  if (metadata.deletionTimestamp !== undefined || !hasKnownZone(run) || spec?.suspend) return undefined;
  const schedule = parsedSchedule(run);
  return schedule === undefined ? undefined : startDueJob(run, schedule);
}

/** Updates the state of the jobs created so far. */
async function updateActiveJobs(run: CronJobRun): Promise<void> {
  for (const job of run.jobs) {
    const { uid = '', name } = job.metadata;
    const isActive = run.active.some((one) => one.uid === uid);
    const end = trueCondition(job.status, 'Complete') ?? trueCondition(job.status, 'Failed');
    if (end === undefined) {
      if (!isActive && !(await isActiveOnServer(run, uid))) {
        run.report(
          'Warning',
          'UnexpectedJob',
          `Saw a job that the controller did not create or forgot: ${name}`,
        );
      }
      continue;
    }
    if (isActive) {
      run.forgetActive(uid);
      run.report('Normal', 'SawCompletedJob', `Saw completed job: ${name}, condition: ${end.type}`);
    }
    const { completionTime } = job.status ?? {};
    const last = run.cronJob.status?.lastSuccessfulTime;
    if (end.type === 'Complete' && completionTime && (!last || completionTime > last)) {
      run.setStatus({ lastSuccessfulTime: completionTime });
    }
  }
}

async function isActiveOnServer(run: CronJobRun, uid: string): Promise<boolean> {
  const { namespace = '', name = '' } = run.cronJob.metadata;
  const latest = await run.context.client
    .resource<CronJob>(resources.cronJobs)
    .namespace(namespace)
    .get(name);
  const found = latest.status?.active?.some((one) => one.uid === uid) ?? false;
  if (found) run.cronJob = latest;
  return found;
}

async function forgetMissingJobs(run: CronJobRun): Promise<void> {
  const known = new Set(run.jobs.map(({ metadata }) => metadata.uid));
  for (const { uid = '', name = '' } of run.active) {
    if (known.has(uid) || (await findJob(run, name)) !== undefined) continue;
    run.report('Normal', 'MissingJob', `Active job went missing: ${name}`);
    run.forgetActive(uid);
  }
}

async function findJob(run: CronJobRun, name: string): Promise<Job | undefined> {
  try {
    return await run.client.get(name);
  } catch (error) {
    if (isStatusError(error, 'NotFound')) return undefined;
    throw error;
  }
}
