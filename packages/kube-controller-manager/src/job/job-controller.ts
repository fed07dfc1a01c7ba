/** Runs the pods of jobs to completion. */

import { ignoring, selectorOfCached } from '@coxswain/apimachinery';
import { Expectations, objectKey, referenceTo, type Informer, type Lister } from '@coxswain/client';
import { claim } from '../claim.ts';
import type { Controller, ControllerContext } from '../controller.ts';
import { resources, type Job, type Pod } from '../objects.ts';
import { OwnWrites } from '../own-writes.ts';
import { controllerIndex, controllerIndexValues, controllerOf } from '../owners.ts';
import { podControl } from '../pods/pod-control.ts';
import { startReconciler, type Reconciler } from '../reconciler.ts';
import type { FailureRecord } from './failure-back-off.ts';
import { isFinishedJob } from './job-conditions.ts';
import { isTracked, trackingFinalizer } from './job-pod.ts';
import { JobMetrics } from './job-metrics.ts';
import { JobRun, releasePatch } from './job-run.ts';
import { reconcileJob } from './job-sync.ts';
import { jobKind } from './job-template.ts';

const controllerName = 'kubernetes.io/job-controller';
/** Changes of pods, and writes of a job's status, are handled in batches. */
const batchPeriodMs = 1_000;
const retryFirstMs = 1_000;
const retryMaxMs = 60_000;

export const jobController: Controller = {
  name: 'job-controller',
  aliases: ['job'],
  serviceAccount: 'job-controller',
  start(context) {
    const jobs = context.informers.informer<Job>(resources.jobs);
    const pods = context.informers.informer<Pod>(resources.pods, {
      [controllerIndex]: controllerIndexValues,
    });
    const ready = () => Promise.all([jobs.synced, pods.synced]);
    const work = new Jobs(context, jobs, pods);
    const batchMs = context.client.rest.transport.structured ? 0 : batchPeriodMs;
    const reconciler = startReconciler(context, {
      queueName: 'job',
      ready,
      reconcile: work.syncJob.bind(work),
      retryFirstMs,
      retryMaxMs,
      ownWrites: work.ownWrites,
      settleMs: batchMs,
    });
    const orphans = startReconciler(context, {
      queueName: 'job_orphan_pod',
      ready,
      reconcile: work.releaseOrphan.bind(work),
      retryFirstMs,
      retryMaxMs,
    });
    const releasePodsOf = ({ metadata }: Job) => {
      for (const pod of pods.lister.byIndex(controllerIndex, metadata.uid ?? ''))
        if (isTracked(pod)) orphans.addObject(pod);
    };
    jobs.addHandler({
      added: reconciler.addObject,
      updated(before, after) {
        if (isFinishedJob(after)) {
          reconciler.addObject(after);
          return releasePodsOf(after);
        }
        if (before.metadata.generation !== after.metadata.generation) reconciler.addObject(after);
        else reconciler.addAfter(objectKey(after), batchMs);
      },
      deleted(job) {
        work.forget(job);
        reconciler.addObject(job);
        releasePodsOf(job);
      },
    });
    pods.addHandler(podHandler(jobs.lister, work, { reconciler, orphans, batchMs }));
  },
};

interface Queues {
  readonly reconciler: Reconciler;
  readonly orphans: Reconciler;
  readonly batchMs: number;
}

function podHandler(jobs: Lister<Job>, work: Jobs, { reconciler, orphans, batchMs }: Queues) {
  const ownerOf = (pod: Pod): Job | undefined => {
    const owner = controllerOf(pod);
    if (owner?.kind !== jobKind.kind) return undefined;
    const job = jobs.get(owner.name, pod.metadata.namespace);
    return job?.metadata.uid === owner.uid ? job : undefined;
  };
  // The job of a new pod may not be in the cache yet, so only a pod without a controller is an orphan.
  const isOrphan = (pod: Pod) => isTracked(pod) && controllerOf(pod) === undefined;
  const wakeMatching = (pod: Pod) => {
    for (const job of jobs.list(pod.metadata.namespace)) {
      if (selectorOfCached(job.spec?.selector).matches(pod.metadata.labels)) reconciler.addObject(job);
    }
  };
  const gone = (pod: Pod) => {
    const job = ownerOf(pod);
    if (job === undefined || isFinishedJob(job)) return isTracked(pod) ? orphans.addObject(pod) : undefined;
    work.expectations.deletionObserved(objectKey(job), objectKey(pod));
    reconciler.addAfter(objectKey(job), batchMs);
  };
  return {
    added(pod: Pod) {
      work.metrics.podChanged(undefined, pod);
      if (isOrphan(pod)) orphans.addObject(pod);
      const job = ownerOf(pod);
      if (pod.metadata.deletionTimestamp !== undefined) return gone(pod);
      if (job !== undefined) {
        work.expectations.creationObserved(objectKey(job));
        reconciler.addAfter(objectKey(job), batchMs);
      } else if (controllerOf(pod) === undefined) wakeMatching(pod);
    },
    updated(before: Pod, after: Pod) {
      if (before.metadata.resourceVersion === after.metadata.resourceVersion) return;
      work.metrics.podChanged(before, after);
      if (!isTracked(after)) work.released.delete(after.metadata.uid ?? '');
      if (isOrphan(after)) orphans.addObject(after);
      if (after.metadata.deletionTimestamp !== undefined) return gone(after);
      const job = ownerOf(after);
      if (job !== undefined) reconciler.addAfter(objectKey(job), batchMs);
      else if (controllerOf(after) === undefined && before.metadata.labels !== after.metadata.labels)
        wakeMatching(after);
      const former = controllerOf(before)?.uid === controllerOf(after)?.uid ? undefined : ownerOf(before);
      if (former !== undefined) reconciler.addObject(former);
    },
    deleted(pod: Pod) {
      work.metrics.podChanged(pod, undefined);
      work.released.delete(pod.metadata.uid ?? '');
      gone(pod);
    },
  };
}

class Jobs {
  readonly expectations: Expectations;
  readonly ownWrites = new OwnWrites();
  readonly released = new Set<string>();
  readonly metrics: JobMetrics;
  readonly #context: ControllerContext;
  readonly #jobs: Informer<Job>;
  readonly #pods: Informer<Pod>;
  readonly #records = new Map<string, FailureRecord>();
  /** Jobs that have ended, although the cache does not show it yet. */
  readonly #ended = new Set<string>();

  constructor(context: ControllerContext, jobs: Informer<Job>, pods: Informer<Pod>) {
    this.#context = context;
    this.#jobs = jobs;
    this.#pods = pods;
    this.expectations = new Expectations(context.clock);
    this.metrics = new JobMetrics(context.metrics);
  }

  forget(job: Job): void {
    const key = objectKey(job);
    this.ownWrites.forget(key);
    this.#records.delete(key);
    this.#ended.delete(job.metadata.uid ?? '');
  }

  async syncJob(key: string): Promise<number | void> {
    const job = this.#jobs.lister.byKey(key);
    if (job === undefined) {
      this.expectations.forget(key);
      this.ownWrites.forget(key);
      return void this.#records.delete(key);
    }
    if (isExternal(job)) return;
    const { completionMode } = job.spec ?? {};
    const { uid = '', namespace = '' } = job.metadata;
    if (isFinishedJob(job)) return this.forget(job);
    if (this.#ended.has(uid)) return;
    const events = this.#context.events('job-controller');
    if (completionMode && completionMode !== 'NonIndexed' && completionMode !== 'Indexed') {
      const about = referenceTo(job, jobKind.kind, jobKind.apiVersion);
      return events.event(
        about,
        'Warning',
        'UnknownCompletionMode',
        'Skipped Job sync because completion mode is unknown',
      );
    }
    const { client, clock } = this.#context;
    const record = this.#records.get(key);
    // Checked before the pods are listed: one that appears in between must not be mistaken for one that was counted.
    const satisfied = this.expectations.satisfied(key);
    const wrotePod = (pod: Pod) => this.ownWrites.wrote(key, this.#pods, pod);
    const run = new JobRun({
      job,
      key,
      pods: await this.#claim(job, wrotePod),
      client: client.resource<Job>(resources.jobs).namespace(namespace),
      podClient: client.resource<Pod>(resources.pods).namespace(namespace),
      control: podControl(client, events, (_owner, pod) => wrotePod(pod)),
      wroteJob: (written) => this.ownWrites.wrote(key, this.#jobs, written),
      wrotePod,
      expectations: this.expectations,
      satisfied,
      released: this.released,
      record,
      saveRecord: (saved) => void this.#records.set(key, saved),
      events,
      observer: this.#context.observer,
      metrics: this.metrics,
      clock,
    });
    const startMs = clock.monotonic();
    let isError = true;
    try {
      const { againMs, finished } = await reconcileJob(run);
      isError = false;
      if (finished) this.#ended.add(uid);
      return againMs;
    } finally {
      this.metrics.synced(job, run.action, isError, clock.monotonic() - startMs);
    }
  }

  /** A pod whose job is gone need not wait to be counted. */
  async releaseOrphan(key: string): Promise<void> {
    const pod = this.#pods.lister.byKey(key);
    if (pod === undefined || !isTracked(pod)) return;
    const owner = controllerOf(pod);
    const { namespace = '', name = '' } = pod.metadata;
    if (owner?.kind === jobKind.kind) {
      const job = this.#jobs.lister.get(owner.name, namespace);
      if (job?.metadata.uid === owner.uid && (!isFinishedJob(job) || isExternal(job))) return;
    }
    await ignoring(
      'NotFound',
      this.#context.client.resource<Pod>(resources.pods).namespace(namespace).patch(name, releasePatch),
    );
  }

  #claim(job: Job, wrote: (pod: Pod) => void): Promise<Pod[]> {
    const { namespace = '', name = '' } = job.metadata;
    const { client } = this.#context;
    return claim({
      owner: job,
      ownerKind: jobKind,
      selector: selectorOfCached(job.spec?.selector),
      lister: this.#pods.lister,
      client: client.resource<Pod>(resources.pods),
      fresh: () => client.resource<Job>(resources.jobs).namespace(namespace).get(name),
      finalizers: [trackingFinalizer],
      wrote,
    });
  }
}

const isExternal = ({ spec }: Job): boolean => Boolean(spec?.managedBy) && spec?.managedBy !== controllerName;
