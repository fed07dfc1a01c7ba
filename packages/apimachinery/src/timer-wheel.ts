import type { Clock, Timer } from './clock.ts';
import { sleepOn } from './sleep-on.ts';

/**
 * A clock for many periodic tasks that need no precision: everything that falls due within one tick runs in one turn of
 * the event loop. A turn costs several times as much as a small request, and writes of one turn are stored together.
 * Delays are rounded up to a whole tick.
 */
export class TimerWheel implements Clock {
  readonly #clock: Clock;
  readonly #tickMs: number;
  /** By the number of ticks since 1970. */
  readonly #slots = new Map<number, Slot>();

  constructor(clock: Clock, tickMs: number) {
    this.#clock = clock;
    this.#tickMs = tickMs;
  }

  now(): number {
    return this.#clock.now();
  }

  monotonic(): number {
    return this.#clock.monotonic();
  }

  after(delayMs: number, callback: () => void): Timer {
    const nowMs = this.#clock.now();
    const tick = Math.ceil((nowMs + Math.max(0, delayMs)) / this.#tickMs);
    const slot = this.#slots.get(tick) ?? this.#begin(tick, tick * this.#tickMs - nowMs);
    const entry = { callback };
    slot.entries.add(entry);
    return { cancel: () => this.#cancel(tick, slot, entry) };
  }

  sleep(delayMs: number, signal?: AbortSignal): Promise<void> {
    return sleepOn(this, delayMs, signal);
  }

  #begin(tick: number, delayMs: number): Slot {
    const fire = () => {
      this.#slots.delete(tick);
      for (const { callback } of slot.entries) callback();
    };
    const slot: Slot = { entries: new Set(), timer: this.#clock.after(delayMs, fire) };
    this.#slots.set(tick, slot);
    return slot;
  }

  #cancel(tick: number, slot: Slot, entry: Entry): void {
    slot.entries.delete(entry);
    if (slot.entries.size > 0 || this.#slots.get(tick) !== slot) return;
    this.#slots.delete(tick);
    slot.timer.cancel();
  }
}

interface Entry {
  readonly callback: () => void;
}

interface Slot {
  readonly entries: Set<Entry>;
  readonly timer: Timer;
}
