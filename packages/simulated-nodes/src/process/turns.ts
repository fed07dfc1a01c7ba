/** Everything else of this thread continues beside programs that never wait. */
import type { Clock } from '@coxswain/apimachinery';
import { nextSlice } from '@coxswain/apimachinery/slices.ts';

/** How long a program may hold up others. */
const turnMsMax = 1;
/** If so much time has passed, the program has waited itself. */
const waitedMsMin = 50;

export class Turns {
  readonly #clock: Clock;
  #beganMs = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** To be awaited again and again: resolves when the program may go on. */
  async pass(): Promise<void> {
    const passedMs = this.#clock.monotonic() - this.#beganMs;
    if (passedMs < turnMsMax) return;
    if (passedMs < waitedMsMin) await nextSlice(this.#clock, 'containers');
    this.#beganMs = this.#clock.monotonic();
  }
}
