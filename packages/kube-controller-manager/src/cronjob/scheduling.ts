/** Starts the job of a CronJob that is due. */

import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { growingBounds } from '@coxswain/apimachinery/metrics/growing-bounds.ts';
import type { Histogram, Metrics } from '@coxswain/apimachinery/metrics/metrics.ts';
import { epochMsOf, formatTime, goQuote, isStatusError } from '@coxswain/apimachinery';
import { referenceTo } from '@coxswain/client';
import { jobKind } from '../job/job-template.ts';
import type { CronJob, Job } from '../objects.ts';
import { controllerOf, controllerReference } from '../owners.ts';
import { isNamespaceTerminating } from '../pods/pod-control.ts';
import { dueTime, untilNextMs } from './missed-times.ts';
import { parseSchedule, type Schedule } from './schedule.ts';
import { formatZoned, wallClock } from './wall-clock.ts';
import { type CronJobRun, cronJobKind, type Status } from './cron-job-run.ts';

const scheduledAnnotation = 'batch.kubernetes.io/cronjob-scheduled-timestamp';

/** Seconds between the scheduled time of a job and its creation. */
export const creationSkew = (metrics: Metrics): Histogram =>
  metrics.histogram(
    'cronjob_controller_job_creation_skew_duration_seconds',
    'Delay between the scheduled time of a job and its creation, in seconds.',
    growingBounds(1, 2, 10),
  );

export const isRescheduled = (before: CronJob, after: CronJob): boolean =>
  before.spec?.schedule !== after.spec?.schedule || before.spec?.timeZone !== after.spec?.timeZone;

/** A new schedule waits for its next time: those that it would have had before it was set are not missed. */
export function delayOf(cronJob: CronJob, nowMs: number): number | undefined {
  try {
    return untilNextMs(cronJob, scheduleOf(cronJob), nowMs);
  } catch {
    // The reconciliation reports what is wrong with the schedule.
    return 0;
  }
}

/** @throws Error with upstream's message */
function scheduleOf({ spec }: CronJob): Schedule {
  const { schedule = '', timeZone } = spec ?? {};
  return parseSchedule(schedule.includes('TZ') || !timeZone ? schedule : `TZ=${timeZone} ${schedule}`);
}

export function hasKnownZone(run: CronJobRun): boolean {
  const zone = run.cronJob.spec?.timeZone;
  if (zone === undefined || zone === null) return true;
  try {
    wallClock(zone);
    return true;
  } catch (error) {
    run.report('Warning', 'UnknownTimeZone', `invalid timeZone: ${goQuote(zone)}: ${messageOf(error)}`);
    return false;
  }
}

export function parsedSchedule(run: CronJobRun): Schedule | undefined {
  const { schedule = '' } = run.cronJob.spec ?? {};
  if (schedule.includes('TZ')) {
    run.report(
      'Warning',
      'UnsupportedSchedule',
      `CRON_TZ or TZ used in schedule ${goQuote(schedule)} is not officially supported, see https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details`,
    );
  }
  try {
    return scheduleOf(run.cronJob);
  } catch (error) {
    run.report(
      'Warning',
      'UnparseableSchedule',
      `unparseable schedule: ${goQuote(schedule)} : ${messageOf(error)}`,
    );
    return undefined;
  }
}

export async function startDueJob(run: CronJobRun, schedule: Schedule): Promise<number | undefined> {
  const { spec } = run.cronJob;
  const nowMs = run.nowMs;
  const next = () => untilNextMs(run.cronJob, schedule, nowMs);
  let due: ReturnType<typeof dueTime>;
  try {
    due = dueTime(run.cronJob, schedule, nowMs);
  } catch (error) {
    run.report('Warning', 'InvalidSchedule', `invalid schedule: ${spec?.schedule} : ${messageOf(error)}`);
    return undefined;
  }
  const { atMs } = due;
  run.context.observer?.note?.({
    due: atMs === undefined ? 'nothing' : formatTime(atMs),
    startingDeadlineSeconds: spec?.startingDeadlineSeconds ?? undefined,
    active: run.active.length,
    nextInMs: next(),
  });
  if (due.missedMany) {
    run.report(
      'Warning',
      'TooManyMissedTimes',
      'too many missed start times. Set or decrease .spec.startingDeadlineSeconds or check clock skew',
    );
  }
  if (atMs === undefined) return next();
  const deadlineSeconds = spec?.startingDeadlineSeconds;
  if (deadlineSeconds !== undefined && deadlineSeconds !== null && atMs + deadlineSeconds * 1000 < nowMs) {
    run.report('Warning', 'MissSchedule', `Missed scheduled time to start a job: ${rfc1123(atMs)}`);
    return next();
  }
  const name = jobName(run, atMs);
  const last = run.cronJob.status?.lastScheduleTime;
  if (run.active.some((one) => one.name === name) || (last && epochMsOf(last) === atMs)) return next();
  if (spec?.concurrencyPolicy === 'Forbid' && run.active.length > 0) {
    run.report(
      'Normal',
      'JobAlreadyActive',
      'Not starting job because prior execution is running and concurrency policy is Forbid',
    );
    return next();
  }
  if (spec?.concurrencyPolicy === 'Replace') await replaceActive(run);
  const started = await startJob(run, name, atMs);
  return started ? next() : undefined;
}

async function replaceActive(run: CronJobRun): Promise<void> {
  for (const { name = '' } of run.active) {
    let job: Job;
    try {
      job = await run.client.get(name);
    } catch (error) {
      run.report('Warning', 'FailedGet', `Get job: ${messageOf(error)}`);
      throw error;
    }
    if (!(await run.deleteJob(job)))
      throw new Error(`could not replace job ${job.metadata.namespace}/${name}`);
  }
}

async function startJob(run: CronJobRun, name: string, atMs: number): Promise<boolean> {
  let job: Job;
  try {
    job = await run.client.create(jobFor(run, name, atMs));
    run.report('Normal', 'SuccessfulCreate', `Created job ${name}`);
    creationSkew(run.context.metrics).observe(
      (epochMsOf(job.metadata.creationTimestamp ?? '') - atMs) / 1000,
    );
  } catch (error) {
    if (isNamespaceTerminating(error)) throw error;
    if (!isStatusError(error, 'AlreadyExists')) {
      run.report('Warning', 'FailedCreate', `Error creating job: ${messageOf(error)}`);
      throw error;
    }
    job = await run.client.get(name);
    const isOurs = controllerOf(job)?.uid === run.cronJob.metadata.uid;
    if (!isOurs || run.active.some((one) => one.uid === job.metadata.uid)) return false;
  }
  const reference = referenceTo(job, jobKind.kind, jobKind.apiVersion);
  run.setStatus({
    active: [...run.active, reference] as NonNullable<Status['active']>,
    lastScheduleTime: formatTime(atMs),
  });
  return true;
}

function jobName(run: CronJobRun, atMs: number): string {
  return `${run.cronJob.metadata.name}-${Math.floor(atMs / 60_000)}`;
}

function jobFor(run: CronJobRun, name: string, atMs: number): Job {
  const { metadata, spec } = run.cronJob;
  const template = spec!.jobTemplate;
  const scheduled = formatZoned(atMs, wallClock(spec?.timeZone ?? 'UTC'));
  return {
    apiVersion: jobKind.apiVersion,
    kind: jobKind.kind,
    metadata: {
      name,
      namespace: metadata.namespace ?? '',
      labels: { ...template.metadata?.labels },
      annotations: { ...template.metadata?.annotations, [scheduledAnnotation]: scheduled },
      ownerReferences: [controllerReference(cronJobKind, run.cronJob)],
    },
    spec: template.spec,
  } as unknown as Job;
}

/** `Mon, 02 Jan 2006 15:04:05 +0000` */
const rfc1123 = (atMs: number): string => new Date(atMs).toUTCString().replace('GMT', '+0000');
