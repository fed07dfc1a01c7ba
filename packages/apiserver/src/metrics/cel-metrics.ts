/** Durations of compiling and evaluating the validation rules of custom resources. */
import type { Histogram, Metrics } from '@coxswain/apimachinery/metrics/metrics.ts';

/** In seconds: the defaults of Prometheus' clients. */
const durationBounds: readonly number[] = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export interface CelMetrics {
  /** In seconds, for all rules of a schema. */
  readonly compilation: Histogram;
  /** In seconds, for all rules of an object. */
  readonly evaluation: Histogram;
}

export const celMetrics = (metrics: Metrics): CelMetrics => ({
  compilation: metrics.histogram(
    'apiserver_cel_compilation_duration_seconds',
    'Duration of the compilation of CEL expressions in seconds.',
    durationBounds,
  ),
  evaluation: metrics.histogram(
    'apiserver_cel_evaluation_duration_seconds',
    'Duration of the evaluation of CEL expressions in seconds.',
    durationBounds,
  ),
});
