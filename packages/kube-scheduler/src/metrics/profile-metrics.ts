/** The metrics of one profile: attempts, extension points, calls of plugins. */
import { growingBounds } from '@coxswain/apimachinery/metrics/growing-bounds.ts';
import type { Counter, Histogram, Metrics } from '@coxswain/apimachinery/metrics/metrics.ts';
import type { ExtensionPoint, Profile } from '../framework/profile.ts';

/** From a millisecond to sixteen seconds, in seconds. */
const attemptBounds = growingBounds(0.001, 2, 15);
/** From a tenth of a millisecond to a fifth of a second, in seconds. */
const pointBounds = growingBounds(0.0001, 2, 12);
/** From ten microseconds to twenty milliseconds, in seconds. */
const pluginBounds = growingBounds(0.00001, 1.5, 20);

/** How an attempt ended. */
export type AttemptResult = 'scheduled' | 'unschedulable' | 'error';
/** The result of a call, as upstream spells it. */
export type CallStatus =
  | 'Success'
  | 'Error'
  | 'Unschedulable'
  | 'UnschedulableAndUnresolvable'
  | 'Wait'
  | 'Skip';
export type CountedPoint = 'PreFilter' | 'Filter' | 'PreScore' | 'Score';

const countedPoints: readonly (readonly [ExtensionPoint, CountedPoint])[] = [
  ['preFilter', 'PreFilter'],
  ['filter', 'Filter'],
  ['preScore', 'PreScore'],
  ['score', 'Score'],
];

export class ProfileMetrics {
  readonly #metrics: Metrics;
  readonly #profile: string;
  readonly #points = new Map<string, Histogram>();
  readonly #plugins = new Map<string, Histogram>();
  readonly #calls = new Map<string, Counter>();

  constructor(metrics: Metrics, { schedulerName, points }: Profile) {
    this.#metrics = metrics;
    this.#profile = schedulerName;
    for (const [point, extension_point] of countedPoints) {
      for (const { name } of points[point]) {
        this.#calls.set(
          `${extension_point} ${name}`,
          metrics.counter(
            'scheduler_plugin_evaluation_total',
            'Evaluations of plugins, by extension point and profile.',
            {
              plugin: name,
              extension_point,
              profile: schedulerName,
            },
          ),
        );
      }
    }
  }

  attempted(result: AttemptResult, durationMs: number): void {
    const labels = { result, profile: this.#profile };
    const help = 'Attempts to place pods, by their end.';
    this.#metrics.counter('scheduler_schedule_attempts_total', help, labels).add();
    this.#metrics
      .histogram(
        'scheduler_scheduling_attempt_duration_seconds',
        'Latency of scheduling attempts in seconds, including binding.',
        attemptBounds,
        labels,
      )
      .observe(durationMs / 1000);
  }

  /** @param point as upstream spells it: `PreFilter` */
  ran(point: string, status: CallStatus, durationMs: number): void {
    const key = `${point} ${status}`;
    let histogram = this.#points.get(key);
    if (histogram === undefined) {
      const labels = { extension_point: point, status, profile: this.#profile };
      const help = 'How long all plugins of an extension point take.';
      const name = 'scheduler_framework_extension_point_duration_seconds';
      this.#points.set(key, (histogram = this.#metrics.histogram(name, help, pointBounds, labels)));
    }
    histogram.observe(durationMs / 1000);
  }

  called(point: CountedPoint, plugin: string, times: number): void {
    if (times > 0) this.#calls.get(`${point} ${plugin}`)?.add(times);
  }

  /** Records one call of a sampled attempt. */
  took(point: string, plugin: string, status: CallStatus, durationMs: number): void {
    const key = `${point} ${plugin} ${status}`;
    let histogram = this.#plugins.get(key);
    if (histogram === undefined) {
      const labels = { plugin, extension_point: point, status };
      const help = 'How long one plugin takes at one extension point.';
      const name = 'scheduler_plugin_execution_duration_seconds';
      this.#plugins.set(key, (histogram = this.#metrics.histogram(name, help, pluginBounds, labels)));
    }
    histogram.observe(durationMs / 1000);
  }
}
