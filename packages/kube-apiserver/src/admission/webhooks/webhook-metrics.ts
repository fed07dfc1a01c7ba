/** `apiserver_admission_webhook_*` and `apiserver_admission_match_condition_*`. */
import type { AdmissionOperation } from '@coxswain/apiserver';
import type { Metrics } from '@coxswain/apimachinery/metrics/metrics.ts';

/** The values of upstream's labels, which are not the same everywhere. */
export type WebhookType = 'admit' | 'validating';

export type RejectionCause = 'calling_webhook_error' | 'apiserver_internal_error' | 'no_error';

export interface WebhookCall {
  readonly name: string;
  readonly type: WebhookType;
  readonly operation: AdmissionOperation;
}

/** In seconds. */
const durationBounds = [0.005, 0.025, 0.1, 0.5, 1, 2.5, 10, 25];
/** Greater codes are counted as this one. */
const codeMax = 600;

const codeLabel = (code: number): string => String(Math.min(code, codeMax));

export class WebhookMetrics {
  readonly #metrics: Metrics;

  constructor(metrics: Metrics) {
    this.#metrics = metrics;
  }

  called({ name, type, operation }: WebhookCall, seconds: number, code: number, isRejected: boolean): void {
    const labels = { name, type, operation, rejected: String(isRejected) };
    this.#metrics
      .histogram(
        'apiserver_admission_webhook_admission_duration_seconds',
        'Latency of admission webhooks in seconds, by name, type and operation.',
        durationBounds,
        labels,
      )
      .observe(seconds);
    this.#count(
      'apiserver_admission_webhook_request_total',
      'Calls of admission webhooks, by name, type, operation, code and whether the request was refused.',
      { ...labels, code: codeLabel(code) },
    );
  }

  rejected({ name, type, operation }: WebhookCall, cause: RejectionCause, code: number): void {
    this.#count(
      'apiserver_admission_webhook_rejection_count',
      'Requests that were refused for an admission webhook, by name, type, operation, cause and code.',
      { name, type, operation, error_type: cause, rejection_code: codeLabel(code) },
    );
  }

  failedOpen({ name, type }: Pick<WebhookCall, 'name' | 'type'>): void {
    this.#count(
      'apiserver_admission_webhook_fail_open_count',
      'Failures of admission webhooks that were let pass, by name and type.',
      { name, type },
    );
  }

  excluded(name: string, type: 'admit' | 'validate', operation: AdmissionOperation): void {
    this.#count(
      'apiserver_admission_match_condition_exclusions_total',
      'Requests that match conditions kept away, by name, kind, type and operation.',
      { name, kind: 'webhook', type, operation },
    );
  }

  #count(name: string, help: string, labels: Readonly<Record<string, string>>): void {
    this.#metrics.counter(name, help, labels).add();
  }
}
