/** Deletes finished jobs after their time to live, if they specify one. */

import { epochMsOf, isStatusError } from '@coxswain/apimachinery';
import type { Controller } from '../controller.ts';
import { onWrite } from '../event-handlers.ts';
import { trueCondition } from '../job/job-conditions.ts';
import { resources, type Job } from '../objects.ts';
import { startReconciler } from '../reconciler.ts';

export const ttlAfterFinishedController: Controller = {
  name: 'ttl-after-finished-controller',
  aliases: ['ttl-after-finished'],
  serviceAccount: 'ttl-after-finished-controller',
  start(context) {
    const { clock } = context;
    const jobs = context.informers.informer<Job>(resources.jobs);
    const client = context.client.resource<Job>(resources.jobs);
    const reconciler = startReconciler(context, {
      queueName: 'ttl_jobs_to_delete',
      ready: () => jobs.synced,
      reconcile: async function processJob(key) {
        const cached = jobs.lister.byKey(key);
        if (cached === undefined || cached.metadata.deletionTimestamp !== undefined) return;
        const leftMs = timeLeftMs(cached, clock.now());
        if (leftMs === undefined) return;
        if (leftMs > 0) return leftMs;
        const { namespace = '', name = '' } = cached.metadata;
        try {
          // Its time to live may just have been changed.
          const fresh = await client.namespace(namespace).get(name);
          const freshLeftMs = timeLeftMs(fresh, clock.now());
          if (freshLeftMs === undefined || freshLeftMs > 0) return freshLeftMs;
          const { uid = '', resourceVersion = '' } = fresh.metadata;
          await client.namespace(namespace).delete(name, {
            propagationPolicy: 'Foreground',
            preconditions: { uid, resourceVersion },
          });
        } catch (error) {
          if (!isStatusError(error, 'NotFound')) throw error;
        }
      },
    });
    jobs.addHandler(onWrite(reconciler.addObject));
  },
};

/** Undefined if it has not ended, or is kept. */
function timeLeftMs({ spec, status }: Job, nowMs: number): number | undefined {
  const { ttlSecondsAfterFinished: ttlSeconds } = spec ?? {};
  const end = trueCondition(status, 'Complete') ?? trueCondition(status, 'Failed');
  if (ttlSeconds === undefined || ttlSeconds === null || !end?.lastTransitionTime) return undefined;
  return epochMsOf(end.lastTransitionTime) + ttlSeconds * 1000 - nowMs;
}
