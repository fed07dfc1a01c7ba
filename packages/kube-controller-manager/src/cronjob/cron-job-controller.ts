/** Creates jobs at the times scheduled by CronJobs, and removes old ones. */

import { objectKey } from '@coxswain/client';
import type { Controller } from '../controller.ts';
import { resources, type CronJob, type Job } from '../objects.ts';
import { controllerIndex, controllerIndexValues, controllerOf } from '../owners.ts';
import { startReconciler } from '../reconciler.ts';
import { CronJobRun, cronJobKind } from './cron-job-run.ts';
import { reconcileCronJob } from './cron-job-sync.ts';
import { creationSkew, delayOf, isRescheduled } from './scheduling.ts';

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
        return reconcileCronJob(new CronJobRun(context, cronJob, owned));
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
