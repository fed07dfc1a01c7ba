import { systemClock } from '@coxswain/apimachinery';
import type { Clock } from '@coxswain/apimachinery';

/**
 * Each watcher that is woken costs its transport a write, of 8 µs with TLS, however many events are in it. So
 * after a wake of many, the next one waits as long as several such writes take: under load each gets more
 * events in one piece, and one who watches alone never waits.
 */
const pauseMsPerWatcher = 0.05;
const pauseMsMin = 1;
const pauseMsMax = 25;

/** Decides when those who have something to read are woken. */
export class WakePace {
  readonly #clock: Clock;
  #notBeforeMs = -Infinity;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Calls `wake`, which returns how many it woke, when the events of this turn are in, or a little later. */
  schedule(wake: () => number): void {
    const run = (): void => this.#pause(wake());
    const waitMs = this.#notBeforeMs - this.#clock.monotonic();
    if (waitMs <= 0) setImmediate(run);
    else this.#clock.after(waitMs, run);
  }

  #pause(wokenCount: number): void {
    const pauseMs = Math.min(pauseMsMax, wokenCount * pauseMsPerWatcher);
    // On a clock that is moved by hand nothing would ever come, and nothing costs anything.
    if (pauseMs < pauseMsMin || this.#clock !== systemClock) return;
    this.#notBeforeMs = this.#clock.monotonic() + pauseMs;
  }
}
