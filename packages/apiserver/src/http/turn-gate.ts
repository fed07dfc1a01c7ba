import type { Clock } from '@coxswain/apimachinery';
import { afterwards, atNextTurn } from '@coxswain/apimachinery/next-turn.ts';

/** An event-loop turn that has lasted this long, in milliseconds, begins no further requests. */
const turnMsMax = 8;
/** The number of requests that begin before their immediate consequences run and the clock is checked again. */
const requestsPerLook = 16;

/**
 * Spreads in-process requests over turns of the event loop. Otherwise a turn would not end while each response leads to
 * the next request: a thousand pods would be created, bound and started in one turn, and no timer, socket or lease
 * would be served meanwhile. Requests begin in order of arrival.
 */
export class TurnGate {
  readonly #clock: Pick<Clock, 'monotonic'>;
  /** Those from index `#next` on are waiting. */
  #waiting: (() => void)[] = [];
  #next = 0;
  /** The number of requests begun since the clock was last checked. */
  #begun = 0;
  #looksLater = false;
  /** Undefined in a turn in which nothing has begun. */
  #untilMs: number | undefined;

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
  }

  /** Undefined if a request may begin at once. */
  pass(): Promise<void> | undefined {
    if (this.#waiting.length === 0 && !this.#isFull()) {
      this.#begun++;
      return undefined;
    }
    return new Promise((resolve) => void this.#waiting.push(resolve));
  }

  /** A request that has to wait is released by the check scheduled here. */
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
