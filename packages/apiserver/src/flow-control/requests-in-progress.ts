/** Counts executing and waiting requests, separately for mutating and read-only ones. */
import type { Clock } from '@coxswain/apimachinery';
import type { Metrics } from '@coxswain/apimachinery/metrics/metrics.ts';
import type { TimingHistogram } from '@coxswain/apimachinery/metrics/timing-histogram.ts';
import { flowMetric } from './flow-counts.ts';

export type RequestKind = 'readOnly' | 'mutating';

const readOnlyVerbs: ReadonlySet<string> = new Set(['get', 'list', 'watch']);

export const requestKind = (verb: string): RequestKind => (readOnlyVerbs.has(verb) ? 'readOnly' : 'mutating');

export class RequestsInProgress {
  readonly executing: Readonly<Record<RequestKind, RequestCount>>;
  readonly waiting: Readonly<Record<RequestKind, RequestCount>>;

  constructor(clock: Clock, metrics: Metrics) {
    const count = (phase: string, kind: RequestKind, name: string, help: string) => {
      const one = new RequestCount(clock, timingOf(clock, metrics, phase, kind));
      metrics.reading('gauge', name, help, { request_kind: kind }, () => one.watermark());
      return one;
    };
    const both = (phase: string, name: string, help: string) => ({
      readOnly: count(phase, 'readOnly', name, help),
      mutating: count(phase, 'mutating', name, help),
    });
    this.executing = both(
      'executing',
      'apiserver_current_inflight_requests',
      'The most requests that were being worked on at once in the last second, by kind.',
    );
    this.waiting = both(
      'waiting',
      'apiserver_current_inqueue_requests',
      'The most requests that were waiting at once in the last second, by kind.',
    );
  }

  /** Sets the limits to which the numbers are relative. */
  relateTo(seats: number, places: number): void {
    this.executing.readOnly.relateTo(seats);
    this.executing.mutating.relateTo(seats);
    this.waiting.readOnly.relateTo(places);
    this.waiting.mutating.relateTo(places);
  }
}

const windowMs = 1000;

class RequestCount {
  now = 0;
  readonly #clock: Clock;
  readonly #timing: TimingHistogram;
  #windowBeganAtMs = 0;
  #most = 0;
  #mostBefore = 0;

  constructor(clock: Clock, timing: TimingHistogram) {
    this.#clock = clock;
    this.#timing = timing;
  }

  relateTo(denominator: number): void {
    this.#timing.denominator = Math.max(1, denominator);
  }

  change(by: 1 | -1, nowMs: number): void {
    if (nowMs - this.#windowBeganAtMs >= windowMs) this.#turnWindow(nowMs);
    this.now += by;
    if (this.now > this.#most) this.#most = this.now;
    this.#timing.set(this.now, nowMs);
  }

  /** The maximum during the last whole second. */
  watermark(): number {
    const nowMs = this.#clock.monotonic();
    if (nowMs - this.#windowBeganAtMs >= windowMs) this.#turnWindow(nowMs);
    return Math.max(this.#most, this.#mostBefore);
  }

  #turnWindow(nowMs: number): void {
    this.#mostBefore = nowMs - this.#windowBeganAtMs < 2 * windowMs ? this.#most : this.now;
    this.#most = this.now;
    this.#windowBeganAtMs = nowMs;
  }
}

const timingOf = (clock: Clock, metrics: Metrics, phase: string, kind: RequestKind): TimingHistogram =>
  metrics.timing(
    `${flowMetric}read_vs_write_current_requests`,
    'Requests, as a part of what the server takes in at once. Every nanosecond counts.',
    bounds,
    { phase, request_kind: kind },
    () => clock.monotonic(),
  );

const bounds: readonly number[] = [
  0, 0.001, 0.01, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 1,
];
