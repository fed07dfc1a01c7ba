/** The state of one reconciliation of a job. */

import { isStatusError, type Clock, type StepObserver } from '@coxswain/apimachinery';
import { referenceTo, type EventRecorder, type Expectations, type ResourceClient } from '@coxswain/client';
import type { Job, Pod } from '../objects.ts';
import type { PodControl } from '../pods/pod-control.ts';
import type { FailureRecord } from './failure-back-off.ts';
import { takeCensus, type JobCensus } from './job-census.ts';
import type { JobCondition, JobStatus } from './job-conditions.ts';
import { isTracked, trackingFinalizer } from './job-pod.ts';
import type { JobMetrics, SyncAction } from './job-metrics.ts';
import { jobKind } from './job-template.ts';

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
  readonly observer?: StepObserver | undefined;
  readonly metrics: JobMetrics;
  readonly clock: Clock;
}

/** One reconciliation of a job: what it was given, and what it has found and changed so far. */
export class JobRun {
  /** What was done about pods. */
  action: SyncAction = 'reconciling';
  readonly options: JobSyncOptions;
  readonly job: Job;
  readonly census: JobCensus;
  status: JobStatus;
  activeCount: number;
  ready: number;
  terminating: number;
  finished: JobCondition | undefined;
  againMs: number | undefined;

  constructor(options: JobSyncOptions) {
    this.options = options;
    this.job = options.job;
    const { status } = options.job;
    this.status = { ...status, uncountedTerminatedPods: status?.uncountedTerminatedPods ?? {} };
    this.census = takeCensus({ ...options, status: this.status });
    this.activeCount = this.census.active.length;
    this.ready = this.census.ready;
    this.terminating = this.census.terminating;
  }

  get nowMs(): number {
    return this.options.clock.now();
  }

  get completions(): number | undefined {
    return this.job.spec?.completions ?? undefined;
  }

  requeueAfter(inMs: number): void {
    this.againMs = Math.min(this.againMs ?? Infinity, inMs);
  }

  async release(pod: Pod): Promise<void> {
    const { name = '', uid = '' } = pod.metadata;
    if (!isTracked(pod)) return;
    this.options.released.add(uid);
    try {
      this.options.wrotePod(await this.options.podClient.patch(name, releasePatch));
    } catch (error) {
      this.options.released.delete(uid);
      if (!isStatusError(error, 'NotFound')) throw error;
    }
  }

  event(type: 'Normal' | 'Warning', reason: string, message: string): void {
    this.options.events.event(referenceTo(this.job, jobKind.kind, jobKind.apiVersion), type, reason, message);
  }
}

export const releasePatch = { metadata: { '$deleteFromPrimitiveList/finalizers': [trackingFinalizer] } };
