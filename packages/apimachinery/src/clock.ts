import { nextTurn } from './next-turn.ts';
import { sleepOn } from './sleep-on.ts';

/**
 * Time, randomness and identifiers are injected, so that a test can run a day of cron jobs in a second and a failure
 * can be replayed from its seed. Nothing else in the project asks the platform for them.
 */
export interface Clock {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  now(): number;
  /** Milliseconds on a monotonic clock, for measuring durations. */
  monotonic(): number;
  /** Calls `callback` once after `delayMs`. With `idle` the timer does not keep the process alive. */
  after(delayMs: number, callback: () => void, options?: { readonly idle?: boolean }): Timer;
  /** Resolves after `delayMs`; rejects with the signal's reason if it aborts first. */
  sleep(delayMs: number, signal?: AbortSignal): Promise<void>;
}

export interface Timer {
  cancel(): void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(delayMs, callback, options) {
    const timer: unknown = setTimeout(callback, Math.min(delayMs, maxTimerMs));
    if (options?.idle) (timer as { unref?: () => void }).unref?.();
    return { cancel: () => clearTimeout(timer as number) };
  },
  sleep(delayMs, signal) {
    return sleepOn(systemClock, delayMs, signal);
  },
};

/** setTimeout fires immediately for longer delays. */
const maxTimerMs = 2 ** 31 - 1;

/**
 * A clock that is advanced manually: `advance(ms)` fires the timers that fall due, in order, and lets promises settle
 * between two of them.
 */
export class ManualClock implements Clock {
  #nowMs: number;
  readonly #startMs: number;
  #timers: { dueMs: number; order: number; callback: () => void }[] = [];
  #order = 0;

  constructor(startMs: number = Date.UTC(2026, 0, 1)) {
    this.#nowMs = startMs;
    this.#startMs = startMs;
  }

  now(): number {
    return this.#nowMs;
  }

  monotonic(): number {
    return this.#nowMs - this.#startMs;
  }

  after(delayMs: number, callback: () => void): Timer {
    const timer = { dueMs: this.#nowMs + Math.max(0, delayMs), order: this.#order++, callback };
    this.#timers.push(timer);
    return { cancel: () => void (this.#timers = this.#timers.filter((other) => other !== timer)) };
  }

  sleep(delayMs: number, signal?: AbortSignal): Promise<void> {
    return sleepOn(this, delayMs, signal);
  }

  /** The number of waiting timers. */
  get pending(): number {
    return this.#timers.length;
  }

  async advance(byMs: number): Promise<void> {
    const untilMs = this.#nowMs + byMs;
    await settle();
    for (let next = this.#next(untilMs); next !== undefined; next = this.#next(untilMs)) {
      this.#timers = this.#timers.filter((timer) => timer !== next);
      this.#nowMs = Math.max(this.#nowMs, next.dueMs);
      next.callback();
      await settle();
    }
    this.#nowMs = untilMs;
  }

  #next(untilMs: number) {
    return this.#timers
      .filter((timer) => timer.dueMs <= untilMs)
      .sort((a, b) => a.dueMs - b.dueMs || a.order - b.order)[0];
  }
}

/** Lets everything that is ready run: a turn of the event loop if there is one. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await nextTurn();
}

/** Random numbers in [0, 1), from a seed if a run must be repeatable. */
export interface Random {
  next(): number;
}

export const systemRandom: Random = { next: () => Math.random() };

/** Mulberry32: small, fast and the same on every machine. Not for secrets. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  return {
    next() {
      state = (state + 0x6d2b79f5) >>> 0;
      let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
      mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
      return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
    },
  };
}
