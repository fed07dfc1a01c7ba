/** Metrics of reconciles: their number, outcome and duration, with controller-runtime's names. */

import type { Clock } from '@coxswain/apimachinery';
import type { Metrics } from '@coxswain/apimachinery/metrics/metrics.ts';

type Outcome = 'success' | 'error' | 'requeue_after';

/** Seconds. */
const timeBounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

export function reconcileMetrics(metrics: Metrics, clock: Clock, controller: string, workers: number) {
  const labels = { controller };
  const count = (result: Outcome) =>
    metrics.counter('controller_runtime_reconcile_total', 'Reconciliations, by result.', {
      ...labels,
      result,
    });
  const totals = { success: count('success'), error: count('error'), requeue_after: count('requeue_after') };
  const errors = metrics.counter(
    'controller_runtime_reconcile_errors_total',
    'Reconciliations that failed.',
    labels,
  );
  const times = metrics.histogram(
    'controller_runtime_reconcile_time_seconds',
    'Duration of a reconciliation in seconds.',
    timeBounds,
    labels,
  );
  const active = metrics.gauge('controller_runtime_active_workers', 'Reconciliations in progress.', labels);
  metrics
    .gauge(
      'controller_runtime_max_concurrent_reconciles',
      'Maximum number of concurrent reconciliations.',
      labels,
    )
    .set(workers);
  let underWay = 0;
  return {
    /** The returned function must be called when the reconcile has ended. */
    begun(): (outcome: Outcome) => void {
      const startedMs = clock.monotonic();
      active.set(++underWay);
      return (outcome) => {
        active.set(--underWay);
        totals[outcome].add();
        if (outcome === 'error') errors.add();
        times.observe((clock.monotonic() - startedMs) / 1000);
      };
    },
  };
}
