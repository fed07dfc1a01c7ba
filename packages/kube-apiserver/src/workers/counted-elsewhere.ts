/**
 * Metrics of admission in a thread that serves large requests: the main thread, whose metrics are read, records them
 * again. The thread may end before anybody reads its own.
 */
import { Metrics, type Counter, type Histogram } from '@coxswain/apimachinery/metrics/metrics.ts';

export interface Counted {
  readonly name: string;
  readonly help: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
  /** The buckets of a histogram; absent for a counter. */
  readonly bounds?: readonly number[];
}

/** All other metrics are recorded in the thread that received the request. */
const isOfAdmission = /^apiserver_(admission|cel|validating_admission_policy|mutating_admission_policy)_/;

/** The maximum number of observations of one request, with hundreds of policies; further ones are dropped. */
const countedMax = 10_000;

export class MetricsForMain extends Metrics {
  #counted: Counted[] = [];

  override counter(name: string, help: string, labels: Counted['labels'] = {}): Counter {
    if (!isOfAdmission.test(name)) return super.counter(name, help, labels);
    return { add: (value = 1) => this.#note({ name, help, labels, value }) };
  }

  override histogram(
    name: string,
    help: string,
    bounds: readonly number[],
    labels: Counted['labels'] = {},
  ): Histogram {
    if (!isOfAdmission.test(name)) return super.histogram(name, help, bounds, labels);
    return { observe: (value) => this.#note({ name, help, labels, value, bounds }) };
  }

  /** Returns the observations since the last call. */
  take(): readonly Counted[] {
    const counted = this.#counted;
    this.#counted = [];
    return counted;
  }

  #note(one: Counted): void {
    if (this.#counted.length < countedMax) this.#counted.push(one);
  }
}

export function countAgain(metrics: Metrics, counted: readonly Counted[]): void {
  for (const { name, help, labels, value, bounds } of counted) {
    if (bounds === undefined) metrics.counter(name, help, labels).add(value);
    else metrics.histogram(name, help, bounds, labels).observe(value);
  }
}
