/** The clock of a test cluster: it stands still until it is advanced, and then every timer fires in order. */

import { parseDurationMs, type Clock, type Timer } from '@coxswain/apimachinery';
import { Heap } from '@coxswain/apimachinery/heap.ts';
import { sleepOn } from '@coxswain/apimachinery/sleep-on.ts';
import { shown } from './known-words.ts';
import type { Duration } from '../../types/testing.d.ts';

export type { Duration } from '../../types/testing.d.ts';

interface Due {
  readonly dueMs: number;
  readonly order: number;
  readonly callback: () => void;
  /** Its place in the heap; undefined once it has fired or was cancelled, so that nothing of it is kept. */
  position: number | undefined;
}

const dayMs = 24 * 60 * 60 * 1000;

/** Accepts Go durations, optionally preceded by days: `90d`, `1d12h`. @throws TypeError for an invalid duration */
export function durationMs(duration: Duration): number {
  if (typeof duration === 'number' && !Number.isNaN(duration)) return duration;
  try {
    const [text = '', days, rest = ''] = /^(?:(\d+)d)?(.*)$/.exec(duration as string) ?? [];
    if (days === undefined) return parseDurationMs(text);
    return Number(days) * dayMs + (rest === '' ? 0 : parseDurationMs(rest));
  } catch {
    throw new TypeError(
      `a duration must be a string such as '90s', '1h30m' or '30d', or milliseconds, not ${shown(duration)}`,
    );
  }
}

export class VirtualClock implements Clock {
  readonly #startMs: number;
  #nowMs: number;
  #order = 0;
  readonly #timers = new Heap<Due>(sooner, (timer, position) => (timer.position = position));

  constructor(startMs: number) {
    this.#startMs = startMs;
    this.#nowMs = startMs;
  }

  now(): number {
    return this.#nowMs;
  }

  monotonic(): number {
    return this.#nowMs - this.#startMs;
  }

  after(delayMs: number, callback: () => void): Timer {
    const dueMs = this.#nowMs + Math.max(0, delayMs);
    const timer: Due = { dueMs, order: this.#order++, callback, position: undefined };
    this.#timers.push(timer);
    return {
      cancel: () => {
        if (timer.position !== undefined) this.#remove(timer.position);
      },
    };
  }

  sleep(delayMs: number, signal?: AbortSignal): Promise<void> {
    return sleepOn(this, delayMs, signal);
  }

  /** When the next timer is due; undefined if there is none. */
  get nextDueMs(): number | undefined {
    return this.#timers.peek()?.dueMs;
  }

  /** Advances to the next timer and fires it. @returns false if none is due until then */
  fireNext(untilMs: number): boolean {
    const dueMs = this.nextDueMs;
    if (dueMs === undefined || dueMs > untilMs) return false;
    const { callback } = this.#remove(0);
    this.#nowMs = Math.max(this.#nowMs, dueMs);
    callback();
    return true;
  }

  /** Advances the clock without firing anything: all due timers have fired. */
  moveTo(nowMs: number): void {
    this.#nowMs = Math.max(this.#nowMs, nowMs);
  }

  #remove(position: number): Due {
    const timer = this.#timers.remove(position);
    timer.position = undefined;
    return timer;
  }
}

const sooner = (a: Due, b: Due): number => a.dueMs - b.dueMs || a.order - b.order;
