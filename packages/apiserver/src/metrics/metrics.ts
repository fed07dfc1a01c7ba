/**
 * Counters that cost a few nanoseconds: whoever counts holds the counter itself, found once when a route is
 * installed, so that no label is looked up while a request runs. `/metrics` writes them all out.
 */
import { formatSample } from './exposition.ts';
import { TimingHistogram } from './timing-histogram.ts';

export interface Counter {
  add(by?: number): void;
}

export interface Gauge {
  set(value: number): void;
}

export interface Histogram {
  observe(value: number): void;
}

type Labels = Readonly<Record<string, string>>;

interface Family {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly series: Map<string, Series>;
}

interface Series {
  write(name: string): string;
}

/** Different label sets of one metric; more are counted together under `overflow`. */
const seriesMax = 10_000;

export class Metrics {
  readonly #families = new Map<string, Family>();

  counter(name: string, help: string, labels: Labels = {}): Counter {
    return this.#series(name, help, 'counter', labels, () => new CounterSeries(labels));
  }

  gauge(name: string, help: string, labels: Labels = {}): Gauge {
    return this.#series(name, help, 'gauge', labels, () => new GaugeSeries(labels));
  }

  /** @param bounds upper bounds of the buckets, ascending */
  histogram(name: string, help: string, bounds: readonly number[], labels: Labels = {}): Histogram {
    return this.#series(name, help, 'histogram', labels, () => new HistogramSeries(labels, bounds));
  }

  /** A number that somebody counts anyway: asked for when it is written. A later reader takes the place of an earlier. */
  reading(type: 'counter' | 'gauge', name: string, help: string, labels: Labels, read: () => number): void {
    const series = this.#series(name, help, type, labels, () => new ReadSeries(labels, read));
    series.read = read;
  }

  /** @param now milliseconds that only grow */
  timing(
    name: string,
    help: string,
    bounds: readonly number[],
    labels: Labels,
    now: () => number,
  ): TimingHistogram {
    return this.#series(name, help, 'histogram', labels, () => new TimingHistogram(labels, bounds, now));
  }

  /** Requests that are being worked on, by kind: `readOnly` or `mutating`. */
  inFlight(requestKind: string): Gauge {
    return this.gauge('apiserver_current_inflight_requests', 'Requests that are being worked on, by kind.', {
      request_kind: requestKind,
    });
  }

  /** Prometheus' text format. */
  exposition(): string {
    let text = '';
    for (const { name, help, type, series } of this.#families.values()) {
      text += `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`;
      for (const one of series.values()) text += one.write(name);
    }
    return text;
  }

  #series<S extends Series>(
    name: string,
    help: string,
    type: Family['type'],
    labels: Labels,
    make: () => S,
  ): S {
    let family = this.#families.get(name);
    if (family === undefined) this.#families.set(name, (family = { name, help, type, series: new Map() }));
    const key = family.series.size < seriesMax ? JSON.stringify(labels) : 'overflow';
    let series = family.series.get(key);
    if (series === undefined) family.series.set(key, (series = make()));
    return series as S;
  }
}

class CounterSeries implements Counter, Series {
  readonly #labels: Labels;
  #value = 0;

  constructor(labels: Labels) {
    this.#labels = labels;
  }

  add(by = 1): void {
    this.#value += by;
  }

  write(name: string): string {
    return formatSample(name, this.#labels, this.#value);
  }
}

class GaugeSeries implements Gauge, Series {
  readonly #labels: Labels;
  #value = 0;

  constructor(labels: Labels) {
    this.#labels = labels;
  }

  set(value: number): void {
    this.#value = value;
  }

  write(name: string): string {
    return formatSample(name, this.#labels, this.#value);
  }
}

class ReadSeries implements Series {
  readonly #labels: Labels;
  read: () => number;

  constructor(labels: Labels, read: () => number) {
    this.#labels = labels;
    this.read = read;
  }

  write(name: string): string {
    return formatSample(name, this.#labels, this.read());
  }
}

class HistogramSeries implements Histogram, Series {
  readonly #labels: Labels;
  readonly #bounds: readonly number[];
  readonly #counts: Float64Array;
  #sum = 0;

  constructor(labels: Labels, bounds: readonly number[]) {
    this.#labels = labels;
    this.#bounds = bounds;
    this.#counts = new Float64Array(bounds.length + 1);
  }

  observe(value: number): void {
    this.#sum += value;
    let bucket = 0;
    while (bucket < this.#bounds.length && value > this.#bounds[bucket]!) bucket++;
    this.#counts[bucket]!++;
  }

  write(name: string): string {
    let text = '';
    let count = 0;
    for (let bucket = 0; bucket < this.#counts.length; bucket++) {
      count += this.#counts[bucket]!;
      const le = bucket < this.#bounds.length ? String(this.#bounds[bucket]) : '+Inf';
      text += formatSample(`${name}_bucket`, { ...this.#labels, le }, count);
    }
    return (
      text +
      formatSample(`${name}_sum`, this.#labels, this.#sum) +
      formatSample(`${name}_count`, this.#labels, count)
    );
  }
}
