/** How much was used until now, from how much is used whenever somebody looks. */

import type { Clock } from '@coxswain/apimachinery';

interface Reading {
  readonly atMs: number;
  /** Used a second, at that time. */
  readonly rate: number;
  readonly total: number;
}

/** Those that nobody has looked at for the longest time are forgotten. */
const readingsMax = 100_000;

export class UsageMeter {
  readonly #clock: Clock;
  readonly #readings = new Map<string, Reading>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Grows by what was used since the last look, in seconds of what `rate` counts.
   * @param sinceMs when it began to be used, for the first look
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
