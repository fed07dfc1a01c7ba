import type { Clock } from '@coxswain/apimachinery';
import { afterwards, atNextTurn } from '@coxswain/apimachinery/next-turn.ts';

/** A turn of the event loop begins no more requests once it has taken so long, in milliseconds. */
const turnMsMax = 8;
/** Requests that begin before all that follows from them at once is done and the clock is looked at again. */
const requestsPerLook = 16;

/**
 * Spreads requests that come from this process over turns of the event loop. Nothing else ends a turn in which each
 * answer leads to the next request: a thousand pods would be made, bound and started in one, and no timer, socket or
 * lease would have its turn meanwhile. Requests begin in the order in which they came.
 */
export class TurnGate {
  readonly #clock: Pick<Clock, 'monotonic'>;
  /** Those from `#next` on wait. */
  #waiting: (() => void)[] = [];
  #next = 0;
  /** Requests that began since the last look at the clock. */
  #begun = 0;
  #looksLater = false;
  /** Undefined in a turn in which nothing has begun. */
  #untilMs: number | undefined;

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
  }

  /** Undefined where a request may begin at once. */
  pass(): Promise<void> | undefined {
    if (this.#waiting.length === 0 && !this.#isFull()) {
      this.#begun++;
      return undefined;
    }
    return new Promise((resolve) => void this.#waiting.push(resolve));
  }

  /** Whoever has to wait is let in by the look that was asked for here. */
  #isFull(): boolean {
    if (this.#untilMs === undefined) {
      this.#untilMs = this.#clock.monotonic() + turnMsMax;
      atNextTurn(this.#closeTurn);
    }
    if (!this.#looksLater) {
      this.#looksLater = true;
      afterwards(this.#look);
    }
    return this.#begun >= requestsPerLook || this.#isSpent();
  }

  #isSpent(): boolean {
    return this.#untilMs !== undefined && this.#clock.monotonic() >= this.#untilMs;
  }

  readonly #closeTurn = (): void => {
    this.#untilMs = undefined;
  };

  readonly #look = (): void => {
    this.#begun = 0;
    if (this.#next === this.#waiting.length) {
      this.#waiting = [];
      this.#next = 0;
      this.#looksLater = false;
      return;
    }
    if (this.#isSpent()) return atNextTurn(this.#look);
    this.#looksLater = false;
    while (this.#next < this.#waiting.length && !this.#isFull()) {
      this.#begun++;
      this.#waiting[this.#next++]!();
    }
  };
}
