/** Accumulates total usage from the rates observed at each reading. */

import type { Clock } from '@coxswain/apimachinery';

interface Reading {
  readonly atMs: number;
  /** The rate of use per second at that time. */
  readonly rate: number;
  readonly total: number;
}

/** The least recently read ones are forgotten. */
const readingsMax = 100_000;

export class UsageMeter {
  readonly #clock: Clock;
  readonly #readings = new Map<string, Reading>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Returns the total, which grows by the usage since the last reading, in seconds of the unit of `rate`.
   * @param sinceMs when use began, for the first reading
   */
  total(key: string, rate: number, sinceMs: number): number {
    const atMs = this.#clock.now();
    const before = this.#readings.get(key) ?? { atMs: Math.min(sinceMs, atMs), rate, total: 0 };
    const total = before.total + (Math.max(0, atMs - before.atMs) / 1000) * before.rate;
    this.#readings.delete(key);
    this.#readings.set(key, { atMs, rate, total });
    if (this.#readings.size > readingsMax) this.#readings.delete(this.#readings.keys().next().value!);
    return total;
  }
}
