/** Metrics of autoscalers, with upstream's names. */
import { growingBounds } from '@coxswain/apimachinery/metrics/growing-bounds.ts';
import type { Metrics } from '@coxswain/apimachinery/metrics/metrics.ts';

export type ScaleAction = 'scale_up' | 'scale_down' | 'none';
/** The cause: the object's spec, or an internal error such as a failed query. */
export type ScaleError = 'spec' | 'internal' | 'none';

/** From a millisecond to sixteen seconds, in seconds. */
const durationBounds = growingBounds(0.001, 2, 15);
const prefix = 'horizontal_pod_autoscaler_controller_';

export const scaleAction = (wanted: number, current: number): ScaleAction =>
  wanted > current ? 'scale_up' : wanted < current ? 'scale_down' : 'none';

export class AutoscalingMetrics {
  readonly #metrics: Metrics;

  constructor(metrics: Metrics) {
    this.#metrics = metrics;
  }

  reconciled(action: ScaleAction, error: ScaleError, durationMs: number): void {
    const labels = { action, error };
    this.#metrics
      .counter(
        `${prefix}reconciliations_total`,
        'Reconciliations of autoscalers, by action and error.',
        labels,
      )
      .add();
    const help = 'How long a look at an autoscaler takes.';
    this.#metrics
      .histogram(`${prefix}reconciliation_duration_seconds`, help, durationBounds, labels)
      .observe(durationMs / 1000);
  }

  /** @param metricType `Resource`, `Pods`, … */
  computed(metricType: string, action: ScaleAction, error: ScaleError, durationMs: number): void {
    const labels = { action, error, metric_type: metricType };
    this.#metrics
      .counter(
        `${prefix}metric_computation_total`,
        'Metric computations of autoscalers, by action, error and metric type.',
        labels,
      )
      .add();
    const help = 'How long it takes to compute replicas from one metric.';
    this.#metrics
      .histogram(`${prefix}metric_computation_duration_seconds`, help, durationBounds, labels)
      .observe(durationMs / 1000);
  }

  desired(namespace: string, name: string, replicas: number): void {
    const labels = { namespace, hpa_name: name };
    this.#metrics
      .gauge(`${prefix}desired_replicas`, 'Desired number of replicas of an autoscaler.', labels)
      .set(replicas);
  }
}
