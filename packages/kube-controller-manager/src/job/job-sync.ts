/** Reconciles one job: counts ended pods, creates or removes pods, and updates the status. */

import { deepEqual, formatTime, isStatusError, type Clock } from '@coxswain/apimachinery';
import {
  objectKey,
  referenceTo,
  type EventRecorder,
  type Expectations,
  type ResourceClient,
} from '@coxswain/client';
import type { Job, Pod } from '../objects.ts';
import { isNamespaceTerminating, type PodControl } from '../pods/pod-control.ts';
import { isReady } from '../pods/pod-state.ts';
import { slowStart } from '../pods/slow-start.ts';
import { remainingMs, type FailureRecord } from './failure-back-off.ts';
import { takeCensus, type JobCensus } from './job-census.ts';
import {
  jobCondition,
  trueCondition,
  withJobCondition,
  type JobCondition,
  type JobStatus,
} from './job-conditions.ts';
import {
  isIndexed,
  isSuspended,
  isTracked,
  limitsEachIndex,
  replacesOnlyFailed,
  trackingFinalizer,
} from './job-pod.ts';
import type { JobMetrics, SyncAction } from './job-metrics.ts';
import { jobKind, podMaker } from './job-template.ts';
import { judge } from './job-verdict.ts';
import { dueIndexes, pendingIndexes, surplusPods } from './pod-choice.ts';
import { noteEndedPods, withSettled, type NotedPods } from './uncounted-pods.ts';

export interface JobSyncOptions {
  readonly job: Job;
  readonly key: string;
  readonly pods: readonly Pod[];
  readonly client: ResourceClient<Job>;
  readonly podClient: ResourceClient<Pod>;
  readonly control: PodControl;
  /** Called with the job, or a pod, as written. */
  readonly wroteJob: (job: Job) => void;
  readonly wrotePod: (pod: Pod) => void;
  readonly expectations: Expectations;
  /** Whether the expectations were satisfied before the pods were listed. */
  readonly satisfied: boolean;
  /** Pods whose finalizer was removed but that the cache still shows with it. */
  readonly released: Set<string>;
  readonly record: FailureRecord | undefined;
  readonly saveRecord: (record: FailureRecord) => void;
  readonly events: EventRecorder;
  readonly metrics: JobMetrics;
  readonly clock: Clock;
}

/** The maximum number of pods created or deleted per sync. */
const podsPerSyncMax = 500;

export class JobSync {
  /** The action of {@link run} regarding pods. */
  action: SyncAction = 'reconciling';
  readonly #options: JobSyncOptions;
  readonly #job: Job;
  readonly #census: JobCensus;
  #status: JobStatus;
  #activeCount: number;
  #ready: number;
  #terminating: number;
  #finished: JobCondition | undefined;
  #againMs: number | undefined;

  constructor(options: JobSyncOptions) {
    this.#options = options;
    this.#job = options.job;
    const { status } = options.job;
    this.#status = { ...status, uncountedTerminatedPods: status?.uncountedTerminatedPods ?? {} };
    this.#census = takeCensus({ ...options, status: this.#status });
    this.#activeCount = this.#census.active.length;
    this.#ready = this.#census.ready;
    this.#terminating = this.#census.terminating;
  }

  /** Returns the milliseconds after which to check again; `finished` is true when the job has ended. */
  async run(): Promise<{ readonly againMs?: number; readonly finished: boolean }> {
    const { satisfied } = this.#options;
    if (!this.#status.startTime && !isSuspended(this.#job)) this.#status.startTime = formatTime(this.#nowMs);
    const { pods } = this.#options;
    const verdict = judge({
      job: this.#job,
      pods,
      status: this.#status,
      census: this.#census,
      nowMs: this.#nowMs,
    });
    this.#finished = verdict.finished;
    this.#againMs = verdict.againMs;
    let failure: unknown;
    let resumed = false;
    if (this.#finished !== undefined) failure = await this.#stopPods(satisfied);
    else ({ failure, resumed } = await this.#manage(satisfied));
    const finished = await this.#track(resumed);
    if (failure !== undefined) throw failure;
    return { finished, ...(this.#againMs === undefined ? {} : { againMs: this.#againMs }) };
  }

  get #nowMs(): number {
    return this.#options.clock.now();
  }

  get #completions(): number | undefined {
    return this.#job.spec?.completions ?? undefined;
  }

  #lookAgain(inMs: number): void {
    this.#againMs = Math.min(this.#againMs ?? Infinity, inMs);
  }

  // ---- pods

  /** Deletes all active pods; if that succeeds, the job can end. */
  async #stopPods(satisfied: boolean): Promise<unknown> {
    const results = await Promise.allSettled(this.#census.active.map((pod) => this.#deletePod(pod)));
    const deleted = results.filter((result) => result.status === 'fulfilled').length;
    if (deleted !== this.#activeCount || !satisfied) this.#finished = undefined;
    this.#activeCount -= deleted;
    this.#terminating += deleted;
    this.#ready -= this.#census.active.filter(isReady).length;
    return results.find((result) => result.status === 'rejected')?.reason;
  }

  async #deletePod(pod: Pod): Promise<void> {
    try {
      await this.#options.control.delete(this.#job, jobKind, pod);
    } catch (error) {
      if (!isStatusError(error, 'NotFound')) throw error;
    }
  }

  async #manage(satisfied: boolean): Promise<{ failure: unknown; resumed: boolean }> {
    const manages = satisfied && this.#job.metadata.deletionTimestamp === undefined;
    const failure = manages ? await this.#adjustPods() : undefined;
    const enough =
      this.#completions === undefined
        ? this.#census.succeeded > 0
        : this.#census.succeeded >= this.#completions;
    if (enough && this.#activeCount === 0) {
      const message = 'Reached expected number of succeeded pods';
      this.#finished = jobCondition('SuccessCriteriaMet', 'True', 'CompletionsReached', message, this.#nowMs);
      return { failure, resumed: false };
    }
    return { failure, resumed: manages && this.#noteSuspension() };
  }

  #noteSuspension(): boolean {
    const suspended = isSuspended(this.#job);
    const condition = suspended
      ? jobCondition('Suspended', 'True', 'JobSuspended', 'Job suspended', this.#nowMs)
      : jobCondition('Suspended', 'False', 'JobResumed', 'Job resumed', this.#nowMs);
    const changed = withJobCondition(this.#status, condition);
    if (changed === this.#status) return false;
    this.#status = { ...changed };
    this.#event('Normal', suspended ? 'Suspended' : 'Resumed', suspended ? 'Job suspended' : 'Job resumed');
    if (!suspended) this.#status.startTime = formatTime(this.#nowMs);
    else delete this.#status.startTime;
    return true;
  }

  async #adjustPods(): Promise<unknown> {
    if (isSuspended(this.#job)) {
      this.action = 'pods_deleted';
      return this.#removePods(this.#surplus(this.#activeCount));
    }
    const wanted = this.#wantedActive();
    const surplus = this.#surplus(Math.max(0, this.#activeCount - wanted)).slice(0, podsPerSyncMax);
    if (surplus.length > 0) {
      this.action = 'pods_deleted';
      return this.#removePods(surplus);
    }
    const stopping = replacesOnlyFailed(this.#job) ? this.#terminating : 0;
    const missing = wanted - stopping - this.#activeCount;
    this.action = missing > 0 ? 'pods_created' : 'tracking';
    return missing > 0 ? this.#createPods(Math.min(missing, podsPerSyncMax)) : undefined;
  }

  #surplus(count: number): Pod[] {
    return surplusPods(this.#job, this.#census.active, count, this.#nowMs);
  }

  #wantedActive(): number {
    const parallelism = this.#job.spec?.parallelism ?? 1;
    if (this.#completions === undefined) return this.#census.succeeded > 0 ? this.#activeCount : parallelism;
    return Math.max(0, Math.min(parallelism, this.#completions - this.#census.succeeded));
  }

  async #removePods(pods: readonly Pod[]): Promise<unknown> {
    if (pods.length === 0) return undefined;
    const { expectations, key } = this.#options;
    expectations.expectDeletions(key, pods.map(objectKey));
    const results = await Promise.allSettled(
      pods.map(async (pod) => {
        try {
          await this.#release(pod);
          if (isReady(pod)) this.#ready--;
          await this.#options.control.delete(this.#job, jobKind, pod);
        } catch (error) {
          expectations.deletionObserved(key, objectKey(pod));
          if (!isStatusError(error, 'NotFound')) throw error;
        }
      }),
    );
    const removed = results.filter((result) => result.status === 'fulfilled').length;
    this.#activeCount -= removed;
    this.#terminating += removed;
    return results.find((result) => result.status === 'rejected')?.reason;
  }

  async #createPods(missing: number): Promise<unknown> {
    const { expectations, key, control } = this.#options;
    if (!limitsEachIndex(this.#job)) {
      const waitMs = remainingMs(this.#census.record, this.#nowMs);
      if (waitMs > 0) return void this.#lookAgain(waitMs);
    }
    const indexes = isIndexed(this.#job) ? this.#indexesToFill(missing) : undefined;
    const count = indexes?.length ?? missing;
    if (count === 0) return undefined;
    expectations.expectCreations(key, count);
    const make = podMaker(this.#job);
    const { succeeded, failure } = await slowStart(count, async (at) => {
      const index = indexes?.[at];
      const pod = make(index, index === undefined ? undefined : this.#census.replaceable.get(index));
      try {
        await control.create(this.#job, jobKind, pod);
      } catch (error) {
        if (!isNamespaceTerminating(error)) throw error;
      }
    });
    expectations.creationObserved(key, count - succeeded);
    this.#activeCount += succeeded;
    const { metrics } = this.#options;
    const reason = this.#creationReason();
    metrics.podsCreated(reason, 'succeeded', succeeded);
    metrics.podsCreated(reason, 'failed', failure === undefined ? 0 : count - succeeded);
    return failure;
  }

  #creationReason(): string {
    const { failed } = this.#census;
    if (replacesOnlyFailed(this.#job) && failed > 0) return 'recreate_failed';
    return failed > 0 || this.#terminating > 0 ? 'recreate_terminating_or_failed' : 'new';
  }

  /** Returns indexes without a pod whose back-off is over. */
  #indexesToFill(count: number): number[] {
    const pending = pendingIndexes(this.#job, this.#options.pods, this.#census, count);
    if (!limitsEachIndex(this.#job)) return pending;
    const { due, againMs } = dueIndexes(this.#census, pending, this.#nowMs);
    if (againMs !== undefined) this.#lookAgain(againMs);
    return due;
  }

  // ---- tracking

  /** The order of the steps keeps the counts correct: see uncounted-pods.ts. */
  async #track(resumed: boolean): Promise<boolean> {
    const before = this.#job.status ?? {};
    let flush =
      resumed ||
      this.#activeCount !== (before.active ?? 0) ||
      this.#ready !== before.ready ||
      this.#terminating !== before.terminating;
    Object.assign(this.#status, {
      active: this.#activeCount,
      ready: this.#ready,
      terminating: this.#terminating,
    });
    const finalized = new Set(
      this.#options.pods
        .filter((pod) => isTracked(pod) && !this.#options.released.has(pod.metadata.uid ?? ''))
        .map((pod) => pod.metadata.uid ?? ''),
    );
    flush = this.#settle(finalized) || flush;
    const { ended, full, changed } = this.#noteEnded();
    flush = this.#writeIndexes(changed) || flush;
    flush = this.#noteTargets() || flush;
    let job = this.#job;
    if (flush || changed) {
      job = await this.#writeStatus(job);
      this.#options.saveRecord(this.#census.record);
    }
    const failure = await this.#releaseAll(ended, finalized);
    flush = this.#settle(finalized);
    const finished = failure === undefined && !full && this.#enactEnd();
    if (flush || finished) job = await this.#writeStatus(job);
    this.#countPods(before);
    if (failure !== undefined) throw failure;
    if (finished) this.#announceEnd();
    return finished;
  }

  #countPods(before: JobStatus): void {
    const { metrics } = this.#options;
    const { succeeded = 0, failed = 0 } = this.#status;
    metrics.podsFinished(this.#job, 'succeeded', succeeded - (before.succeeded ?? 0));
    metrics.podsFinished(this.#job, 'failed', failed - (before.failed ?? 0));
  }

  #settle(finalized: ReadonlySet<string>): boolean {
    const settled = withSettled(this.#status, finalized);
    if (settled === undefined) return false;
    this.#status = settled;
    return true;
  }

  #noteEnded(): NotedPods {
    const noted = noteEndedPods({
      ...this.#options,
      census: this.#census,
      uncounted: this.#status.uncountedTerminatedPods,
      finished: this.#finished,
    });
    this.#status.uncountedTerminatedPods = noted.uncounted;
    for (const action of noted.policyActions) this.#options.metrics.failureHandled(action);
    return noted;
  }

  #writeIndexes(changed: boolean): boolean {
    if (!isIndexed(this.#job)) return changed;
    const { succeededIndexes, failedIndexes } = this.#census;
    const completed = succeededIndexes.toString();
    const failed = failedIndexes?.toString();
    const isNew =
      completed !== (this.#status.completedIndexes ?? '') || failed !== this.#status.failedIndexes;
    this.#status.succeeded = succeededIndexes.size;
    this.#status.completedIndexes = completed;
    if (failed !== undefined) this.#status.failedIndexes = failed;
    return changed || isNew;
  }

  /** Announces the outcome before the job ends, so that clients that wait for its pods know it. */
  #noteTargets(): boolean {
    const { type, reason = '', message = '' } = this.#finished ?? {};
    if (type !== 'FailureTarget' && type !== 'SuccessCriteriaMet') return false;
    const isNew = trueCondition(this.#status, type) === undefined;
    if (isNew) this.#status.conditions = [...(this.#status.conditions ?? []), this.#finished!];
    this.#finished = jobCondition(
      type === 'FailureTarget' ? 'Failed' : 'Complete',
      'True',
      reason,
      message,
      this.#nowMs,
    );
    return isNew;
  }

  async #releaseAll(pods: readonly Pod[], finalized: Set<string>): Promise<unknown> {
    const results = await Promise.allSettled(
      pods.map(async (pod) => {
        await this.#release(pod);
        finalized.delete(pod.metadata.uid ?? '');
      }),
    );
    return results.find((result) => result.status === 'rejected')?.reason;
  }

  async #release(pod: Pod): Promise<void> {
    const { name = '', uid = '' } = pod.metadata;
    if (!isTracked(pod)) return;
    this.#options.released.add(uid);
    try {
      this.#options.wrotePod(await this.#options.podClient.patch(name, releasePatch));
    } catch (error) {
      this.#options.released.delete(uid);
      if (!isStatusError(error, 'NotFound')) throw error;
    }
  }

  #enactEnd(): boolean {
    const uncounted = this.#status.uncountedTerminatedPods ?? {};
    const pending = (uncounted.succeeded?.length ?? 0) + (uncounted.failed?.length ?? 0);
    if (this.#finished === undefined || pending > 0 || this.#terminating > 0) return false;
    this.#status = { ...withJobCondition(this.#status, this.#finished) };
    if (this.#finished.type === 'Complete' && this.#finished.lastTransitionTime !== undefined) {
      this.#status.completionTime = this.#finished.lastTransitionTime;
    }
    return true;
  }

  #announceEnd(): void {
    const { type, reason = '', message = '' } = this.#finished!;
    this.#options.metrics.finished(this.#job, type === 'Complete', reason);
    if (type !== 'Complete') return this.#event('Warning', reason, message);
    if (this.#completions !== undefined && (this.#status.succeeded ?? 0) > this.#completions) {
      this.#event(
        'Warning',
        'TooManySucceededPods',
        'Too many succeeded pods running after completion count reached',
      );
    }
    this.#event('Normal', 'Completed', 'Job completed');
  }

  async #writeStatus(job: Job): Promise<Job> {
    const status = trimmed(this.#status);
    if (deepEqual(job.status, status)) return job;
    const written = await this.#options.client.updateStatus({ ...job, status });
    this.#options.wroteJob(written);
    return written;
  }

  #event(type: 'Normal' | 'Warning', reason: string, message: string): void {
    this.#options.events.event(
      referenceTo(this.#job, jobKind.kind, jobKind.apiVersion),
      type,
      reason,
      message,
    );
  }
}

export const releasePatch = { metadata: { '$deleteFromPrimitiveList/finalizers': [trackingFinalizer] } };

/** Removes zeros and empty texts, which are not written. */
function trimmed(status: JobStatus): JobStatus {
  const { active, succeeded, failed, completedIndexes, ...rest } = status;
  return {
    ...rest,
    ...(active ? { active } : {}),
    ...(succeeded ? { succeeded } : {}),
    ...(failed ? { failed } : {}),
    ...(completedIndexes ? { completedIndexes } : {}),
  };
}
