/** `apiserver_conversion_webhook_*` and `apiserver_crd_conversion_webhook_duration_seconds`. */
import type { Metrics } from '@coxswain/apimachinery/metrics/metrics.ts';

/** The cause of a failed conversion, as in the metrics' labels. */
export type ConversionFailureType =
  | 'conversion_webhook_call_failure'
  | 'conversion_webhook_malformed_response_failure'
  | 'conversion_webhook_partial_response_failure'
  | 'conversion_webhook_invalid_converted_object_failure';

export interface ConversionCall {
  /** The name of the CustomResourceDefinition. */
  readonly definition: string;
  readonly fromVersion: string;
  readonly toVersion: string;
}

/** In seconds. */
const requestBounds = [0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30, 45, 60];
const definitionBounds = Array.from({ length: 15 }, (_, power) => 0.001 * 2 ** power);

export class ConversionMetrics {
  readonly #metrics: Metrics;

  constructor(metrics: Metrics) {
    this.#metrics = metrics;
  }

  /** @param failure undefined when the webhook was called and succeeded */
  asked(seconds: number, failure: ConversionFailureType | undefined): void {
    const labels = { result: failure === undefined ? 'success' : 'failure', failure_type: failure ?? '' };
    this.#metrics
      .counter(
        'apiserver_conversion_webhook_request_total',
        'Calls of conversion webhooks, by result.',
        labels,
      )
      .add(1);
    this.#metrics
      .histogram(
        'apiserver_conversion_webhook_duration_seconds',
        'Latency of conversion webhooks in seconds, by result.',
        requestBounds,
        labels,
      )
      .observe(seconds);
  }

  converted(
    { definition, fromVersion, toVersion }: ConversionCall,
    seconds: number,
    succeeded: boolean,
  ): void {
    this.#metrics
      .histogram(
        'apiserver_crd_conversion_webhook_duration_seconds',
        'Duration of conversions by webhooks in seconds, by definition and versions.',
        definitionBounds,
        {
          crd_name: definition,
          from_version: fromVersion,
          to_version: toVersion,
          succeeded: String(succeeded),
        },
      )
      .observe(seconds);
  }
}
