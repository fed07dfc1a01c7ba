/** What is counted of the requests to one route and verb; made when the route is installed. */
import type { Counter, Gauge, Histogram, Metrics } from './metrics.ts';

export interface RequestLabels {
  readonly verb: string;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
  readonly scope: '' | 'cluster' | 'namespace' | 'resource';
}

/** Upper bounds in seconds, the original's. */
const durationBounds: readonly number[] = [
  0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60,
];

export class RequestMetrics {
  readonly #metrics: Metrics;
  readonly #labels: RequestLabels;
  readonly #byCode: (Counter | undefined)[] = [];
  #duration: Histogram | undefined;
  #longRunning: Gauge | undefined;
  #longRunningCount = 0;

  constructor(metrics: Metrics, labels: RequestLabels) {
    this.#metrics = metrics;
    this.#labels = labels;
  }

  /** Notes an answered request. */
  answered(code: number, durationMs: number): void {
    (this.#byCode[code] ??= this.#requests(code)).add();
    (this.#duration ??= this.#durations()).observe(durationMs / 1000);
  }

  /** Notes a watch, or another long request, that was opened (+1) or has ended (-1). */
  longRunning(change: 1 | -1): void {
    this.#longRunning ??= this.#metrics.gauge(
      'apiserver_longrunning_requests',
      'Long-running requests that are open.',
      { ...this.#common(), component: 'apiserver' },
    );
    this.#longRunning.set((this.#longRunningCount += change));
  }

  #requests(code: number): Counter {
    return this.#metrics.counter('apiserver_request_total', 'Answered requests.', {
      code: String(code),
      component: 'apiserver',
      dry_run: '',
      ...this.#common(),
    });
  }

  #durations(): Histogram {
    return this.#metrics.histogram(
      'apiserver_request_duration_seconds',
      'Time from the arrival of a request to its answer.',
      durationBounds,
      { component: 'apiserver', dry_run: '', ...this.#common() },
    );
  }

  #common(): Record<string, string> {
    return { ...this.#labels };
  }
}
