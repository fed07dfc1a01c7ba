/** The back-off for replacing a daemon pod that keeps failing on a node: 1 s, 2 s, … 15 minutes. */

import type { Clock } from '@coxswain/apimachinery';

const firstMs = 1_000;
const maxMs = 15 * 60_000;
/** The maximum number of entries; the oldest is dropped. */
const entriesMax = 10_000;

export class FailedPodBackOff {
  readonly #clock: Clock;
  readonly #entries = new Map<string, { delayMs: number; sinceMs: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Returns 0 if it may be replaced now, which counts as a failure; otherwise the time to wait. */
  next(key: string): number {
    const nowMs = this.#clock.monotonic();
    const known = this.#entries.get(key);
    if (known !== undefined && nowMs - known.sinceMs < known.delayMs)
      return known.delayMs - (nowMs - known.sinceMs);
    const isFresh = known === undefined || nowMs - known.sinceMs > 2 * maxMs;
    this.#entries.delete(key);
    this.#entries.set(key, {
      delayMs: isFresh ? firstMs : Math.min(maxMs, known.delayMs * 2),
      sinceMs: nowMs,
    });
    if (this.#entries.size > entriesMax) this.#entries.delete(this.#entries.keys().next().value!);
    return 0;
  }
}
