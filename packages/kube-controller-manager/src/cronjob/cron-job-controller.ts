/** Creates jobs at the times scheduled by CronJobs, and removes old ones. */

import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { growingBounds } from '@coxswain/apimachinery/metrics/growing-bounds.ts';
import type { Histogram, Metrics } from '@coxswain/apimachinery/metrics/metrics.ts';
import { deepEqual, epochMsOf, formatTime, goQuote, isStatusError } from '@coxswain/apimachinery';
import { objectKey, referenceTo, type ObjectReference, type ResourceClient } from '@coxswain/client';
import type { Controller, ControllerContext } from '../controller.ts';
import { trueCondition } from '../job/job-conditions.ts';
import { jobKind } from '../job/job-template.ts';
import { resources, type CronJob, type Job } from '../objects.ts';
import { controllerIndex, controllerIndexValues, controllerOf, controllerReference } from '../owners.ts';
import { isNamespaceTerminating } from '../pods/pod-control.ts';
import { startReconciler } from '../reconciler.ts';
import { dueTime, untilNextMs } from './missed-times.ts';
import { parseSchedule, type Schedule } from './schedule.ts';
import { formatZoned, wallClock } from './wall-clock.ts';

const cronJobKind = { apiVersion: 'batch/v1', kind: 'CronJob' } as const;
const scheduledAnnotation = 'batch.kubernetes.io/cronjob-scheduled-timestamp';

export const cronJobController: Controller = {
  name: 'cronjob-controller',
  aliases: ['cronjob'],
  serviceAccount: 'cronjob-controller',
  start(context) {
    creationSkew(context.metrics);
    const cronJobs = context.informers.informer<CronJob>(resources.cronJobs);
    const jobs = context.informers.informer<Job>(resources.jobs, {
      [controllerIndex]: controllerIndexValues,
    });
    const reconciler = startReconciler(context, {
      queueName: 'cronjob',
      ready: () => Promise.all([cronJobs.synced, jobs.synced]),
      reconcile: async function syncCronJob(key) {
        const cronJob = cronJobs.lister.byKey(key);
        if (cronJob === undefined) return;
        const owned = jobs.lister
          .byIndex(controllerIndex, cronJob.metadata.uid ?? '')
          .filter(({ metadata }) => metadata.namespace === cronJob.metadata.namespace);
        return new CronJobSync(context, cronJob, owned).run();
      },
    });
    cronJobs.addHandler({
      added: reconciler.addObject,
      updated(before, after) {
        const delayMs = isRescheduled(before, after) ? delayOf(after, context.clock.now()) : 0;
        if (delayMs !== undefined) reconciler.addAfter(objectKey(after), delayMs);
      },
      deleted: reconciler.addObject,
    });
    const wake = (job: Job) => {
      const owner = controllerOf(job);
      if (owner?.kind !== cronJobKind.kind) return;
      const found = cronJobs.lister.get(owner.name, job.metadata.namespace);
      if (found?.metadata.uid === owner.uid) reconciler.add(objectKey(found));
    };
    jobs.addHandler({
      added: wake,
      updated(before, after) {
        if (before.metadata.resourceVersion !== after.metadata.resourceVersion) wake(after);
      },
      deleted: wake,
    });
  },
};

const isRescheduled = (before: CronJob, after: CronJob): boolean =>
  before.spec?.schedule !== after.spec?.schedule || before.spec?.timeZone !== after.spec?.timeZone;

/** A new schedule waits for its next time: those that it would have had before it was set are not missed. */
function delayOf(cronJob: CronJob, nowMs: number): number | undefined {
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

/** Seconds between the scheduled time of a job and its creation. */
const creationSkew = (metrics: Metrics): Histogram =>
  metrics.histogram(
    'cronjob_controller_job_creation_skew_duration_seconds',
    'Delay between the scheduled time of a job and its creation, in seconds.',
    growingBounds(1, 2, 10),
  );

type Status = NonNullable<CronJob['status']>;

class CronJobSync {
  readonly #context: ControllerContext;
  readonly #jobs: readonly Job[];
  readonly #client: ResourceClient<Job>;
  #cronJob: CronJob;

  constructor(context: ControllerContext, cronJob: CronJob, jobs: readonly Job[]) {
    this.#context = context;
    this.#cronJob = cronJob;
    this.#jobs = jobs;
    this.#client = context.client.resource<Job>(resources.jobs).namespace(cronJob.metadata.namespace ?? '');
  }

  async run(): Promise<number | void> {
    const before = this.#cronJob.status;
    let againMs: number | undefined;
    let failure: unknown;
    try {
      againMs = await this.#sync();
    } catch (error) {
      failure = error;
    }
    await this.#clearAway();
    if (!deepEqual(trimmed(before), trimmed(this.#cronJob.status))) await this.#writeStatus();
    if (failure !== undefined) throw failure;
    return againMs;
  }

  get #nowMs(): number {
    return this.#context.clock.now();
  }

  get #active(): readonly ObjectReference[] {
    return this.#cronJob.status?.active ?? [];
  }

  #setStatus(change: Partial<Status>): void {
    this.#cronJob = { ...this.#cronJob, status: { ...this.#cronJob.status, ...change } };
  }

  async #sync(): Promise<number | undefined> {
    await this.#followJobs();
    await this.#followMissing();
    const { metadata, spec } = this.#cronJob;
    if (metadata.deletionTimestamp !== undefined || !this.#zoneIsKnown() || spec?.suspend) return undefined;
    const schedule = this.#schedule();
    return schedule === undefined ? undefined : this.#follow(schedule);
  }

  /** Updates the state of the jobs created so far. */
  async #followJobs(): Promise<void> {
    for (const job of this.#jobs) {
      const { uid = '', name } = job.metadata;
      const isActive = this.#active.some((one) => one.uid === uid);
      const end = trueCondition(job.status, 'Complete') ?? trueCondition(job.status, 'Failed');
      if (end === undefined) {
        if (!isActive && !(await this.#isActiveOnServer(uid))) {
          this.#report(
            'Warning',
            'UnexpectedJob',
            `Saw a job that the controller did not create or forgot: ${name}`,
          );
        }
        continue;
      }
      if (isActive) {
        this.#forgetActive(uid);
        this.#report('Normal', 'SawCompletedJob', `Saw completed job: ${name}, condition: ${end.type}`);
      }
      const { completionTime } = job.status ?? {};
      const last = this.#cronJob.status?.lastSuccessfulTime;
      if (end.type === 'Complete' && completionTime && (!last || completionTime > last)) {
        this.#setStatus({ lastSuccessfulTime: completionTime });
      }
    }
  }

  async #isActiveOnServer(uid: string): Promise<boolean> {
    const { namespace = '', name = '' } = this.#cronJob.metadata;
    const latest = await this.#context.client
      .resource<CronJob>(resources.cronJobs)
      .namespace(namespace)
      .get(name);
    const found = latest.status?.active?.some((one) => one.uid === uid) ?? false;
    if (found) this.#cronJob = latest;
    return found;
  }

  async #followMissing(): Promise<void> {
    const known = new Set(this.#jobs.map(({ metadata }) => metadata.uid));
    for (const { uid = '', name = '' } of this.#active) {
      if (known.has(uid) || (await this.#get(name)) !== undefined) continue;
      this.#report('Normal', 'MissingJob', `Active job went missing: ${name}`);
      this.#forgetActive(uid);
    }
  }

  async #get(name: string): Promise<Job | undefined> {
    try {
      return await this.#client.get(name);
    } catch (error) {
      if (isStatusError(error, 'NotFound')) return undefined;
      throw error;
    }
  }

  #forgetActive(uid: string): void {
    this.#setStatus({
      active: this.#active.filter((one) => one.uid !== uid) as NonNullable<Status['active']>,
    });
  }

  // ---- the schedule

  #zoneIsKnown(): boolean {
    const zone = this.#cronJob.spec?.timeZone;
    if (zone === undefined || zone === null) return true;
    try {
      wallClock(zone);
      return true;
    } catch (error) {
      this.#report('Warning', 'UnknownTimeZone', `invalid timeZone: ${goQuote(zone)}: ${messageOf(error)}`);
      return false;
    }
  }

  #schedule(): Schedule | undefined {
    const { schedule = '' } = this.#cronJob.spec ?? {};
    if (schedule.includes('TZ')) {
      this.#report(
        'Warning',
        'UnsupportedSchedule',
        `CRON_TZ or TZ used in schedule ${goQuote(schedule)} is not officially supported, see https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details`,
      );
    }
    try {
      return scheduleOf(this.#cronJob);
    } catch (error) {
      this.#report(
        'Warning',
        'UnparseableSchedule',
        `unparseable schedule: ${goQuote(schedule)} : ${messageOf(error)}`,
      );
      return undefined;
    }
  }

  async #follow(schedule: Schedule): Promise<number | undefined> {
    const { spec } = this.#cronJob;
    const nowMs = this.#nowMs;
    const next = () => untilNextMs(this.#cronJob, schedule, nowMs);
    let due: ReturnType<typeof dueTime>;
    try {
      due = dueTime(this.#cronJob, schedule, nowMs);
    } catch (error) {
      this.#report('Warning', 'InvalidSchedule', `invalid schedule: ${spec?.schedule} : ${messageOf(error)}`);
      return undefined;
    }
    const { atMs } = due;
    if (due.missedMany) {
      this.#report(
        'Warning',
        'TooManyMissedTimes',
        'too many missed start times. Set or decrease .spec.startingDeadlineSeconds or check clock skew',
      );
    }
    if (atMs === undefined) return next();
    const deadlineSeconds = spec?.startingDeadlineSeconds;
    if (deadlineSeconds !== undefined && deadlineSeconds !== null && atMs + deadlineSeconds * 1000 < nowMs) {
      this.#report('Warning', 'MissSchedule', `Missed scheduled time to start a job: ${rfc1123(atMs)}`);
      return next();
    }
    const name = this.#jobName(atMs);
    const last = this.#cronJob.status?.lastScheduleTime;
    if (this.#active.some((one) => one.name === name) || (last && epochMsOf(last) === atMs)) return next();
    if (spec?.concurrencyPolicy === 'Forbid' && this.#active.length > 0) {
      this.#report(
        'Normal',
        'JobAlreadyActive',
        'Not starting job because prior execution is running and concurrency policy is Forbid',
      );
      return next();
    }
    if (spec?.concurrencyPolicy === 'Replace') await this.#replaceActive();
    const started = await this.#start(name, atMs);
    return started ? next() : undefined;
  }

  async #replaceActive(): Promise<void> {
    for (const { name = '' } of this.#active) {
      let job: Job;
      try {
        job = await this.#client.get(name);
      } catch (error) {
        this.#report('Warning', 'FailedGet', `Get job: ${messageOf(error)}`);
        throw error;
      }
      if (!(await this.#delete(job)))
        throw new Error(`could not replace job ${job.metadata.namespace}/${name}`);
    }
  }

  async #start(name: string, atMs: number): Promise<boolean> {
    let job: Job;
    try {
      job = await this.#client.create(this.#jobFor(name, atMs));
      this.#report('Normal', 'SuccessfulCreate', `Created job ${name}`);
      creationSkew(this.#context.metrics).observe(
        (epochMsOf(job.metadata.creationTimestamp ?? '') - atMs) / 1000,
      );
    } catch (error) {
      if (isNamespaceTerminating(error)) throw error;
      if (!isStatusError(error, 'AlreadyExists')) {
        this.#report('Warning', 'FailedCreate', `Error creating job: ${messageOf(error)}`);
        throw error;
      }
      job = await this.#client.get(name);
      const isOurs = controllerOf(job)?.uid === this.#cronJob.metadata.uid;
      if (!isOurs || this.#active.some((one) => one.uid === job.metadata.uid)) return false;
    }
    const reference = referenceTo(job, jobKind.kind, jobKind.apiVersion);
    this.#setStatus({
      active: [...this.#active, reference] as NonNullable<Status['active']>,
      lastScheduleTime: formatTime(atMs),
    });
    return true;
  }

  #jobName(atMs: number): string {
    return `${this.#cronJob.metadata.name}-${Math.floor(atMs / 60_000)}`;
  }

  #jobFor(name: string, atMs: number): Job {
    const { metadata, spec } = this.#cronJob;
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
        ownerReferences: [controllerReference(cronJobKind, this.#cronJob)],
      },
      spec: template.spec,
    } as unknown as Job;
  }

  // ---- old jobs

  async #clearAway(): Promise<void> {
    const { successfulJobsHistoryLimit, failedJobsHistoryLimit } = this.#cronJob.spec ?? {};
    await this.#keepNewest('Complete', successfulJobsHistoryLimit);
    await this.#keepNewest('Failed', failedJobsHistoryLimit);
  }

  async #keepNewest(end: 'Complete' | 'Failed', limit: number | null | undefined): Promise<void> {
    if (limit === undefined || limit === null) return;
    const ended = this.#jobs.filter(({ status }) => trueCondition(status, end) !== undefined).sort(byStart);
    for (const job of ended.slice(0, Math.max(0, ended.length - limit))) await this.#delete(job);
  }

  async #delete(job: Job): Promise<boolean> {
    const { name = '', uid = '' } = job.metadata;
    try {
      await this.#client.delete(name, { propagationPolicy: 'Background' });
    } catch (error) {
      this.#report('Warning', 'FailedDelete', `Deleted job: ${messageOf(error)}`);
      return false;
    }
    this.#forgetActive(uid);
    this.#report('Normal', 'SuccessfulDelete', `Deleted job ${name}`);
    return true;
  }

  async #writeStatus(): Promise<void> {
    const { namespace = '' } = this.#cronJob.metadata;
    const status = trimmed(this.#cronJob.status) as Status;
    await this.#context.client
      .resource<CronJob>(resources.cronJobs)
      .namespace(namespace)
      .updateStatus({ ...this.#cronJob, status });
  }

  #report(type: 'Normal' | 'Warning', reason: string, message: string): void {
    const about = referenceTo(this.#cronJob, cronJobKind.kind, cronJobKind.apiVersion);
    this.#context.events('cronjob-controller').event(about, type, reason, message);
  }
}

function trimmed(status: Status | undefined): Partial<Status> {
  const { active, ...rest } = status ?? {};
  return active?.length ? { ...rest, active } : rest;
}

/** Jobs that never started come last. */
function byStart(a: Job, b: Job): number {
  const [startA = '~', startB = '~'] = [a.status?.startTime ?? undefined, b.status?.startTime ?? undefined];
  if (startA !== startB) return startA < startB ? -1 : 1;
  return (a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1;
}

/** `Mon, 02 Jan 2006 15:04:05 +0000` */
const rfc1123 = (atMs: number): string => new Date(atMs).toUTCString().replace('GMT', '+0000');
