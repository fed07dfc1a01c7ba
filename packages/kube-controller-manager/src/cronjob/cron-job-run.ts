/** The state of one reconciliation of a CronJob. */

import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { referenceTo, type ObjectReference, type ResourceClient } from '@coxswain/client';
import type { ControllerContext } from '../controller.ts';
import { resources, type CronJob, type Job } from '../objects.ts';

export const cronJobKind = { apiVersion: 'batch/v1', kind: 'CronJob' } as const;

export type Status = NonNullable<CronJob['status']>;

/** One reconciliation of a CronJob: its jobs, and its status as changed so far. */
export class CronJobRun {
  readonly context: ControllerContext;
  readonly jobs: readonly Job[];
  readonly client: ResourceClient<Job>;
  cronJob: CronJob;

  constructor(context: ControllerContext, cronJob: CronJob, jobs: readonly Job[]) {
    this.context = context;
    this.cronJob = cronJob;
    this.jobs = jobs;
    this.client = context.client.resource<Job>(resources.jobs).namespace(cronJob.metadata.namespace ?? '');
  }

  get nowMs(): number {
    return this.context.clock.now();
  }

  get active(): readonly ObjectReference[] {
    return this.cronJob.status?.active ?? [];
  }

  setStatus(change: Partial<Status>): void {
    this.cronJob = { ...this.cronJob, status: { ...this.cronJob.status, ...change } };
  }

  forgetActive(uid: string): void {
    this.setStatus({
      active: this.active.filter((one) => one.uid !== uid) as NonNullable<Status['active']>,
    });
  }

  async deleteJob(job: Job): Promise<boolean> {
    const { name = '', uid = '' } = job.metadata;
    try {
      await this.client.delete(name, { propagationPolicy: 'Background' });
    } catch (error) {
      this.report('Warning', 'FailedDelete', `Deleted job: ${messageOf(error)}`);
      return false;
    }
    this.forgetActive(uid);
    this.report('Normal', 'SuccessfulDelete', `Deleted job ${name}`);
    return true;
  }

  async writeStatus(): Promise<void> {
    const { namespace = '' } = this.cronJob.metadata;
    const status = trimmed(this.cronJob.status) as Status;
    await this.context.client
      .resource<CronJob>(resources.cronJobs)
      .namespace(namespace)
      .updateStatus({ ...this.cronJob, status });
  }

  report(type: 'Normal' | 'Warning', reason: string, message: string): void {
    const about = referenceTo(this.cronJob, cronJobKind.kind, cronJobKind.apiVersion);
    this.context.events('cronjob-controller').event(about, type, reason, message);
  }
}

export function trimmed(status: Status | undefined): Partial<Status> {
  const { active, ...rest } = status ?? {};
  return active?.length ? { ...rest, active } : rest;
}
