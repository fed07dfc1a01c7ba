/**
 * Counters that cost a few nanoseconds: the caller holds the counter itself, obtained once (when a route is installed
 * or a queue created), so that no labels are looked up at run time. `/metrics` writes all of them.
 */
import { atOnce, type Steps } from '../work-in-steps.ts';
import { formatHistogram, formatSample } from './exposition.ts';
import { allowedLabels, everyMetric, type MetricSettings } from './metric-settings.ts';
import { deprecatedSince, describedHelp, stabilityOf } from './stability.ts';
import { TimingHistogram } from './timing-histogram.ts';

export interface Counter {
  add(by?: number): void;
}

export interface Gauge {
  set(value: number): void;
  add(by: number): void;
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
  /** Resets the counts; absent for values that describe the present. */
  reset?(): void;
}

/** The maximum number of label sets of one metric; further ones are counted together under `overflow`. */
const seriesMax = 10_000;

/** A value of one label set, read on demand. */
export interface Sample {
  readonly labels: Labels;
  readonly value: number;
}

export interface MetricsOptions {
  readonly settings?: MetricSettings | undefined;
  /** Whether there are metrics about the metrics themselves; true if unset. */
  readonly describesItself?: boolean;
  /** Whether the help texts include the stability level, as in Kubernetes' programs; true if unset. */
  readonly showsStability?: boolean;
}

export class Metrics {
  readonly #families = new Map<string, Family>();
  readonly #settings: MetricSettings;
  readonly #describesItself: boolean;
  readonly #showsStability: boolean;
  #disabledCount = 0;

  constructor({
    settings = everyMetric,
    describesItself = true,
    showsStability = true,
  }: MetricsOptions = {}) {
    this.#settings = settings;
    this.#describesItself = describesItself;
    this.#showsStability = showsStability;
  }

  counter(name: string, help: string, labels: Labels = {}): Counter {
    return this.#series(name, help, 'counter', labels, (reported) => new CounterSeries(reported));
  }

  gauge(name: string, help: string, labels: Labels = {}): Gauge {
    return this.#series(name, help, 'gauge', labels, (reported) => new GaugeSeries(reported));
  }

  /** @param bounds upper bounds of the buckets, in ascending order */
  histogram(name: string, help: string, bounds: readonly number[], labels: Labels = {}): Histogram {
    return this.#series(name, help, 'histogram', labels, (reported) => new HistogramSeries(reported, bounds));
  }

  /**
   * A number that is maintained elsewhere and read when metrics are written. A later reader replaces an earlier one.
   */
  reading(type: 'counter' | 'gauge', name: string, help: string, labels: Labels, read: () => number): void {
    const series = this.#series(name, help, type, labels, (reported) => new ReadSeries(reported, read));
    series.read = read;
  }

  /** @param now a monotonic clock in milliseconds */
  timing(
    name: string,
    help: string,
    bounds: readonly number[],
    labels: Labels,
    now: () => number,
  ): TimingHistogram {
    return this.#series(
      name,
      help,
      'histogram',
      labels,
      (reported) => new TimingHistogram(reported, bounds, now),
    );
  }

  /** Numbers with changing label sets: all of them are read when metrics are written. */
  samples(type: 'counter' | 'gauge', name: string, help: string, read: () => Iterable<Sample>): void {
    const write = () => {
      let text = '';
      for (const { labels, value } of read()) text += formatSample(name, labels, value);
      return text;
    };
    this.#families.set(name, { name, help, type, series: new Map([['', { write }]]) });
  }

  /** Resets counters and histograms. Gauges stay, since they describe the present. */
  reset(): void {
    for (const { series } of this.#families.values()) for (const one of series.values()) one.reset?.();
  }

  /** Prometheus' text format; metrics without a value are omitted. */
  exposition(): string {
    return atOnce(this.expositionInSteps());
  }

  /** The same. */
  *expositionInSteps(): Steps<string> {
    let text = '';
    for (const { name, help, type, series } of [
      ...this.#families.values(),
      ...(this.#describesItself ? this.#own() : []),
    ].sort(byName)) {
      if (this.#settings.disabled.has(name)) continue;
      let samples = '';
      for (const one of series.values()) {
        samples += one.write(name);
        yield;
      }
      const reported = this.#showsStability ? describedHelp(name, help) : help;
      if (samples !== '') text += `# HELP ${name} ${reported}\n# TYPE ${name} ${type}\n${samples}`;
    }
    return text;
  }

  /** Metrics about the metrics themselves. */
  #own(): Family[] {
    const counts = new Map<string, Sample>();
    for (const name of this.#families.keys()) {
      const labels = { deprecated_version: deprecatedSince(name), stability_level: stabilityOf(name) };
      const key = keyOf(labels);
      counts.set(key, { labels, value: (counts.get(key)?.value ?? 0) + 1 });
    }
    return [
      familyOf('registered_metrics_total', 'Metrics that there are, by stability.', [...counts.values()]),
      familyOf('disabled_metrics_total', 'Metrics that were switched off.', [
        { labels: {}, value: this.#disabledCount },
      ]),
      familyOf('hidden_metrics_total', 'Metrics that are hidden since they are deprecated.', [
        { labels: {}, value: 0 },
      ]),
    ];
  }

  #series<S extends Series>(
    name: string,
    help: string,
    type: Family['type'],
    given: Labels,
    make: (labels: Labels) => S,
  ): S {
    const labels = allowedLabels(this.#settings, name, given);
    let family = this.#families.get(name);
    if (family === undefined) {
      this.#families.set(name, (family = { name, help, type, series: new Map() }));
      if (this.#settings.disabled.has(name)) this.#disabledCount++;
    }
    const key = family.series.size < seriesMax ? keyOf(labels) : 'overflow';
    let series = family.series.get(key);
    if (series === undefined) family.series.set(key, (series = make(labels)));
    return series as S;
  }
}

/** All series of a family have the same labels in the same order, so their values tell them apart. */
const keyOf = (labels: Labels): string => Object.values(labels).join('\0');

const byName = (a: Family, b: Family): number => (a.name < b.name ? -1 : 1);

const familyOf = (name: string, help: string, samples: readonly Sample[]): Family => ({
  name,
  help,
  type: 'counter',
  series: new Map(
    samples.map(({ labels, value }) => [
      keyOf(labels),
      { write: (metric) => formatSample(metric, labels, value) },
    ]),
  ),
});

class CounterSeries implements Counter, Series {
  readonly #labels: Labels;
  #value = 0;

  constructor(labels: Labels) {
    this.#labels = labels;
  }

  add(by = 1): void {
    this.#value += by;
  }

  reset(): void {
    this.#value = 0;
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

  add(by: number): void {
    this.#value += by;
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
  /** By bucket; absent until the first observation. */
  #counts: number[] | undefined;
  #sum = 0;

  constructor(labels: Labels, bounds: readonly number[]) {
    this.#labels = labels;
    this.#bounds = bounds;
  }

  observe(value: number): void {
    const counts = (this.#counts ??= this.#noCounts());
    this.#sum += value;
    let bucket = 0;
    while (bucket < this.#bounds.length && value > this.#bounds[bucket]!) bucket++;
    counts[bucket]!++;
  }

  write(name: string): string {
    return formatHistogram(name, this.#labels, this.#bounds, this.#counts ?? this.#noCounts(), this.#sum);
  }

  reset(): void {
    this.#counts = undefined;
    this.#sum = 0;
  }

  #noCounts(): number[] {
    const counts = this.#bounds.map(() => 0);
    counts.push(0);
    return counts;
  }
}
