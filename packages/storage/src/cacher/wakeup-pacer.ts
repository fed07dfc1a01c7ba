import { systemClock, type Clock } from '@coxswain/apimachinery';

/**
 * Each woken watcher costs its transport a write, of some 8 µs with TLS, however many events it contains. So after
 * waking many watchers the next wakeup is delayed: under load each gets more events at once, while a single watcher
 * never waits. Measured with 100 watchers on connections of their own, deliveries per CPU-second: no pause 60,000; 5 ms
 * 74,000; 10 ms 95,000; 20 ms 104,000. With 1,000: 25 ms 70,000; 50 ms 100,000–190,000, which is still no later than
 * upstream delivers.
 */
const pauseMsPerWatcher = 0.1;
const pauseMsMin = 1;
const pauseMsMax = 50;

/** Browsers have no setImmediate. */
const nextTurn: (run: () => void) => unknown =
  typeof setImmediate === 'function' ? setImmediate : (run) => setTimeout(run, 0);

/** Decides when watchers with pending events are woken. */
export class WakeupPacer {
  readonly #clock: Clock;
  readonly #pauses: boolean;
  #notBeforeMs = -Infinity;
  #hasWokenThisTurn = false;

  /** With a manually advanced clock there are no pauses, unless requested: nobody would end them. */
  constructor(clock: Clock, pauses: boolean = clock === systemClock) {
    this.#clock = clock;
    this.#pauses = pauses;
  }

  /**
   * Calls `wake`, which returns the number of woken watchers, when the events of a commit have arrived, or slightly
   * later. The first wakeup of an event-loop turn precedes the responses to the writers, so that clients see their own
   * writes on their watches first, as upstream. Later ones wait for the next turn: in-process clients that answer
   * events with writes must leave time for others.
   */
  schedule(wake: () => number): void {
    const run = (): void => this.#pause(wake());
    const waitMs = this.#notBeforeMs - this.#clock.monotonic();
    if (waitMs > 0) this.#clock.after(waitMs, run);
    else if (this.#hasWokenThisTurn) nextTurn(run);
    else this.#runThisTurn(run);
  }

  #runThisTurn(run: () => void): void {
    this.#hasWokenThisTurn = true;
    nextTurn(() => (this.#hasWokenThisTurn = false));
    queueMicrotask(run);
  }

  #pause(wokenCount: number): void {
    const pauseMs = Math.min(pauseMsMax, wokenCount * pauseMsPerWatcher);
    if (this.#pauses && pauseMs >= pauseMsMin) this.#notBeforeMs = this.#clock.monotonic() + pauseMs;
  }
}
