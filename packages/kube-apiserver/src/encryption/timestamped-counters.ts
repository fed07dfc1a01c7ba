import type { Clock } from '@coxswain/apimachinery';
import type { Sample } from '@coxswain/apimachinery/metrics/metrics.ts';

/** A service's keys change over the years; those seen longest ago are dropped. As upstream. */
const labelSetsMax = 100;

interface Moments {
  readonly labels: Readonly<Record<string, string>>;
  count: number;
  lastMs: number;
}

/** Counters with the time of the last increment, by labels. */
export class TimestampedCounters {
  readonly #clock: Clock;
  readonly #moments = new Map<string, Moments>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  add(labels: Readonly<Record<string, string>>): void {
    const key = Object.values(labels).join(' ');
    const known = this.#moments.get(key) ?? { labels, count: 0, lastMs: 0 };
    known.count++;
    known.lastMs = this.#clock.now();
    this.#moments.delete(key);
    this.#moments.set(key, known);
    if (this.#moments.size <= labelSetsMax) return;
    for (const oldest of this.#moments.keys()) {
      this.#moments.delete(oldest);
      return;
    }
  }

  *counts(): Generator<Sample> {
    for (const { labels, count } of this.#moments.values()) yield { labels, value: count };
  }

  /** In seconds since 1970. */
  *moments(): Generator<Sample> {
    for (const { labels, lastMs } of this.#moments.values()) yield { labels, value: lastMs / 1000 };
  }
}
