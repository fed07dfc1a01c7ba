/** Counts streams that a connection opened only to reset them (the rapid-reset attack), per window of time. */
import type { Clock } from '@coxswain/apimachinery';
import { resetWindowMs, streamResetsMax } from './transport-limits.ts';

export class ResetGuard {
  readonly #clock: Clock;
  #windowStartMs: number;
  #resets = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#windowStartMs = clock.monotonic();
  }

  /** Notes one reset; true when it was one too many. */
  reset(): boolean {
    const nowMs = this.#clock.monotonic();
    if (nowMs - this.#windowStartMs > resetWindowMs) {
      this.#windowStartMs = nowMs;
      this.#resets = 0;
    }
    return ++this.#resets > streamResetsMax;
  }
}
