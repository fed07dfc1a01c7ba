/** Reports when something that should be heard of regularly is not, and when it is again. */

import type { Clock, Timer } from '@coxswain/apimachinery';

export interface StalenessWatchdogOptions {
  readonly clock: Clock;
  readonly afterMs: number;
  readonly ageMs: () => number;
  stale(): void;
  fresh(): void;
}

export class StalenessWatchdog {
  readonly #options: StalenessWatchdogOptions;
  #timer: Timer | undefined;
  #isStale = false;

  constructor(options: StalenessWatchdogOptions) {
    this.#options = options;
    this.#wait(options.afterMs);
  }

  heard(): void {
    if (!this.#isStale) return;
    this.#isStale = false;
    this.#options.fresh();
    this.#wait(this.#options.afterMs);
  }

  stop(): void {
    this.#timer?.cancel();
  }

  #wait(ms: number): void {
    this.#timer?.cancel();
    this.#timer = this.#options.clock.after(ms, () => this.#look(), { idle: true });
  }

  #look(): void {
    const leftMs = this.#options.afterMs - this.#options.ageMs();
    if (leftMs > 0) return this.#wait(leftMs);
    this.#isStale = true;
    this.#options.stale();
  }
}
