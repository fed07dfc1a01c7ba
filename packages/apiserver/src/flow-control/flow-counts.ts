/**
 * The metrics of one flow schema in one priority level. They are plain numbers that `/metrics` reads on demand; schemas
 * of a level keep theirs when the configuration is digested again.
 */
import type { Histogram, Metrics } from '@coxswain/apimachinery/metrics/metrics.ts';

export class FlowCounts {
  dispatched = 0;
  executing = 0;
  seatsInUse = 0;
  waiting = 0;
  seatsWaiting = 0;
  readonly #metrics: Metrics;
  readonly #labels: FlowLabels;
  readonly #rejected = new Map<string, number>();
  #unaccommodated = 0;
  #seats: Histogram | undefined;
  #queueLength: Histogram | undefined;
  #watchers: Histogram | undefined;
  #waited: Histogram | undefined;
  #refused: Histogram | undefined;
  #took: Histogram | undefined;
  #tookToOpen: Histogram | undefined;

  constructor(metrics: Metrics, priorityLevel: string, flowSchema: string) {
    this.#metrics = metrics;
    this.#labels = { flow_schema: flowSchema, priority_level: priorityLevel };
    for (const [type, name, help, read] of served) this.#read(type, name, help, {}, () => read(this));
  }

  reject(reason: string): void {
    const count = this.#rejected.get(reason);
    this.#rejected.set(reason, (count ?? 0) + 1);
    if (count !== undefined) return;
    this.#read('counter', 'rejected_requests_total', 'Requests refused, by reason.', { reason }, () =>
      this.#rejected.get(reason)!,
    );
  }

  /** Records that the next request could not get its seats. */
  noteUnaccommodated(): void {
    if (this.#unaccommodated++ > 0) return;
    const help = 'How often the next request could not have the seats that it needs.';
    const name = 'request_dispatch_no_accommodation_total';
    this.#read('counter', name, help, {}, () => this.#unaccommodated);
  }

  observeSeats(seats: number): void {
    (this.#seats ??= this.#histogram(
      'work_estimated_seats',
      'Estimated number of seats that requests occupy.',
      seatBounds,
    )).observe(seats);
  }

  observeQueueLength(length: number): void {
    (this.#queueLength ??= this.#beginToQueue()).observe(length);
  }

  observeWatchers(count: number): void {
    (this.#watchers ??= this.#histogram(
      'watch_count_samples',
      'Number of watchers that a mutating request may have to notify.',
      watcherBounds,
    )).observe(count);
  }

  /** @param isTaken whether it was admitted, even if it then waited in vain: upstream calls those executed */
  observeWait(seconds: number, isTaken: boolean): void {
    const waited = isTaken
      ? (this.#waited ??= this.#waits('true'))
      : (this.#refused ??= this.#waits('false'));
    waited.observe(seconds);
  }

  observeExecution(seconds: number, isWatch: boolean): void {
    const took = isWatch
      ? (this.#tookToOpen ??= this.#executions('watch'))
      : (this.#took ??= this.#executions('regular'));
    took.observe(seconds);
  }

  #beginToQueue(): Histogram {
    for (const [type, name, help, read] of queued) this.#read(type, name, help, {}, () => read(this));
    const help = 'The length of a queue as each request that joined it saw it.';
    return this.#histogram('request_queue_length_after_enqueue', help, lengthBounds);
  }

  #waits(execute: string): Histogram {
    const help = 'Time that requests spent waiting in a queue, in seconds.';
    return this.#histogram('request_wait_duration_seconds', help, durationBounds, { execute });
  }

  #executions(type: string): Histogram {
    const help = 'Time that requests took to be served, or watches to be opened, in seconds.';
    return this.#histogram('request_execution_seconds', help, durationBounds, { type });
  }

  #read(
    type: 'counter' | 'gauge',
    name: string,
    help: string,
    labels: Record<string, string>,
    read: () => number,
  ): void {
    this.#metrics.reading(type, `${flowMetric}${name}`, help, sorted({ ...this.#labels, ...labels }), read);
  }

  #histogram(
    name: string,
    help: string,
    bounds: readonly number[],
    labels: Record<string, string> = {},
  ): Histogram {
    return this.#metrics.histogram(
      `${flowMetric}${name}`,
      help,
      bounds,
      sorted({ ...this.#labels, ...labels }),
    );
  }
}

/** In upstream's order. */
const sorted = (labels: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(labels).toSorted(([one], [other]) => (one < other ? -1 : 1)));

type FlowLabels = Readonly<Record<'priority_level' | 'flow_schema', string>>;

export const flowMetric = 'apiserver_flowcontrol_';

const seatBounds: readonly number[] = [1, 2, 4, 8, 16, 32, 64, 100];
const lengthBounds: readonly number[] = [0, 10, 25, 50, 100, 250, 500, 1000];
const watcherBounds: readonly number[] = [0, 1, 10, 100, 1000, 10_000];
/** In seconds. */
const durationBounds: readonly number[] = [0, 0.005, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30];

type Reading = readonly ['counter' | 'gauge', string, string, (counts: FlowCounts) => number];

const served: readonly Reading[] = [
  ['counter', 'dispatched_requests_total', 'Requests that were served.', ({ dispatched }) => dispatched],
  ['gauge', 'current_executing_requests', 'Requests that are being served.', ({ executing }) => executing],
  ['gauge', 'current_executing_seats', 'Seats that are taken.', ({ seatsInUse }) => seatsInUse],
];

/** Only for levels with queues. */
const queued: readonly Reading[] = [
  ['gauge', 'current_inqueue_requests', 'Requests that wait in queues.', ({ waiting }) => waiting],
  ['gauge', 'current_inqueue_seats', 'Seats that waiting requests need.', ({ seatsWaiting }) => seatsWaiting],
];
