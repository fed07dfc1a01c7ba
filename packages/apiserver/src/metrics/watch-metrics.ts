/** Metrics of the events sent to watchers of one resource. */
import type { Counter, Histogram, Metrics } from '@coxswain/apimachinery/metrics/metrics.ts';
import { eventSizeBounds, watchListBounds } from './request-bounds.ts';

export class WatchMetrics {
  readonly #metrics: Metrics;
  readonly #labels: Readonly<Record<string, string>>;
  #events: Counter | undefined;
  #sizes: Histogram | undefined;

  constructor(
    metrics: Metrics,
    labels: { readonly group: string; readonly version: string; readonly resource: string },
  ) {
    this.#metrics = metrics;
    this.#labels = labels;
  }

  /** Records that a watch has sent its initial events. @param scope `cluster`, `namespace` or `resource` */
  listed(scope: string, durationMs: number): void {
    this.#metrics
      .histogram(
        'apiserver_watch_list_duration_seconds',
        'Time from the start of a watch list request to the end of its initial events, in seconds.',
        watchListBounds,
        { ...this.#labels, scope },
      )
      .observe(durationMs / 1000);
  }

  sent(bytes: number): void {
    this.#events ??= this.#metrics.counter(
      'apiserver_watch_events_total',
      'Events sent to watchers.',
      this.#labels,
    );
    this.#sizes ??= this.#metrics.histogram(
      'apiserver_watch_events_sizes',
      'Size of the events sent to watchers, in bytes.',
      eventSizeBounds,
      this.#labels,
    );
    this.#events.add();
    this.#sizes.observe(bytes);
  }
}
