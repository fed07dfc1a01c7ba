/** Metrics of jobs and their pods, with upstream's names. */
import { growingBounds } from '@coxswain/apimachinery/metrics/growing-bounds.ts';
import type { Metrics } from '@coxswain/apimachinery/metrics/metrics.ts';
import type { Job, Pod } from '../objects.ts';
import { isIndexed, isTracked } from './job-pod.ts';

/** The result of a sync: `reconciling` while not all of its pods have been observed, or after it has ended. */
export type SyncAction = 'reconciling' | 'tracking' | 'pods_created' | 'pods_deleted';

/** From four milliseconds to a minute, in seconds. */
const syncBounds = growingBounds(0.004, 2, 15);

export class JobMetrics {
  readonly #metrics: Metrics;

  constructor(metrics: Metrics) {
    this.#metrics = metrics;
  }

  synced(job: Job, action: SyncAction, isError: boolean, durationMs: number): void {
    const labels = { completion_mode: modeOf(job), result: isError ? 'error' : 'success', action };
    this.#metrics
      .histogram(
        'job_controller_job_sync_duration_seconds',
        'Duration of the reconciliation of a job in seconds.',
        syncBounds,
        labels,
      )
      .observe(durationMs / 1000);
    this.#count('job_syncs_total', 'Looks at jobs.', labels, 1);
  }

  finished(job: Job, isSuccess: boolean, reason: string): void {
    const labels = { completion_mode: modeOf(job), result: isSuccess ? 'succeeded' : 'failed', reason };
    this.#count('jobs_finished_total', 'Jobs that have ended.', labels, 1);
  }

  podsFinished(job: Job, result: 'succeeded' | 'failed', count: number): void {
    const labels = { completion_mode: modeOf(job), result };
    this.#count('job_pods_finished_total', 'Pods that have ended and were counted.', labels, count);
  }

  podsCreated(reason: string, status: 'succeeded' | 'failed', count: number): void {
    this.#count('job_pods_creation_total', 'Pods that were to be made, and why.', { reason, status }, count);
  }

  failureHandled(action: string): void {
    const help = 'Failed pods that a rule of the failure policy was about.';
    this.#count('pod_failures_handled_by_failure_policy_total', help, { action }, 1);
  }

  external(controllerName: string): void {
    const help = 'Jobs that another controller takes care of.';
    this.#count('jobs_by_external_controller_total', help, { controller_name: controllerName }, 1);
  }

  /** Updates the number of ended pods that wait to be counted after a change of a pod. */
  podChanged(before: Pod | undefined, after: Pod | undefined): void {
    const was = before !== undefined && awaitsCount(before);
    const is = after !== undefined && awaitsCount(after);
    if (was === is) return;
    const help = 'Ended pods that were seen with the finalizer of jobs, and that were freed of it.';
    const event = is ? 'add' : 'delete';
    this.#count('terminated_pods_tracking_finalizer_total', help, { event }, 1);
  }

  #count(name: string, help: string, labels: Readonly<Record<string, string>>, by: number): void {
    if (by > 0) this.#metrics.counter(`job_controller_${name}`, help, labels).add(by);
  }
}

const modeOf = (job: Job): string => (isIndexed(job) ? 'Indexed' : 'NonIndexed');

const awaitsCount = (pod: Pod): boolean =>
  isTracked(pod) && (pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed');
