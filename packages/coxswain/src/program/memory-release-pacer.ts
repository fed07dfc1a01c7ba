/**
 * Decides when a process gives memory back. Both ways of it hold the event loop up: a walk over the allocator's heaps
 * for some milliseconds, a collection of garbage for about one per megabyte of what lives. So a process that
 * has something to do is left alone for a while, and never is more than a small share of the time spent on it.
 */

/** 'trim': what was freed and the allocator keeps. 'collect': what nobody can reach any more, and then that. */
export type GiveBack = 'nothing' | 'trim' | 'collect';

/** What a look at the process sees. */
export interface MemoryLook {
  readonly residentBytes: number;
  /** The share of the time since the last look that the event loop was not idle. */
  readonly utilization: number;
  readonly nowMs: number;
  /** A collection would hold everything up for tenths of a second and more. */
  readonly isHeapLarge?: boolean;
}

/** What must have come since the last time before anything is done, in bytes. */
const growthBytes = 48 * 1024 * 1024;
/** The same for the first time: much of what a start has touched is never needed again. */
const startGrowthBytes = 16 * 1024 * 1024;
/** The same for a collection, since the last one: more than the young generation, which comes and goes with the load. */
const garbageBytes = 64 * 1024 * 1024;
/** Of the event loop's time: below this a collection is in nobody's way. */
const quietUtilization = 0.3;
/** Above this a process counts as busy. */
const busyUtilization = 0.5;
/** A busy process is left alone for so long, in milliseconds. */
const busyMsMax = 30_000;
/** After something that took a millisecond nothing is done for so many. */
const pausePerMs = 50;

/** Whether nobody would notice that the pages of the program have to be found again. */
export const isQuiet = (utilization: number): boolean => utilization <= quietUtilization;

export class MemoryReleasePacer {
  #keptBytes: number;
  /** What was left by the last collection; undefined: by what the start left, which has little garbage. */
  #collectedBytes: number | undefined;
  #notBeforeMs = -Infinity;
  /** Since when something is due that the load has put off. */
  #putOffAtMs: number | undefined;

  /** @param residentBytes of the process as it is now */
  constructor(residentBytes: number) {
    this.#keptBytes = residentBytes;
  }

  next({ residentBytes, utilization, nowMs, isHeapLarge = false }: MemoryLook): GiveBack {
    // What went by itself has to come again.
    this.#keptBytes = Math.min(this.#keptBytes, residentBytes);
    if (nowMs < this.#notBeforeMs) return 'nothing';
    const grownBytes = residentBytes - (this.#collectedBytes ?? residentBytes);
    if (!isHeapLarge && isQuiet(utilization) && grownBytes >= garbageBytes) return 'collect';
    const dueBytes = this.#collectedBytes === undefined ? startGrowthBytes : growthBytes;
    if (residentBytes - this.#keptBytes < dueBytes) {
      this.#putOffAtMs = undefined;
      return 'nothing';
    }
    if (utilization <= busyUtilization) return 'trim';
    this.#putOffAtMs ??= nowMs;
    return nowMs - this.#putOffAtMs < busyMsMax ? 'nothing' : 'trim';
  }

  /** @param tookMs how long the event loop stood still for it */
  done(
    what: GiveBack,
    { residentBytes, tookMs, nowMs }: { residentBytes: number; tookMs: number; nowMs: number },
  ): void {
    this.#keptBytes = residentBytes;
    if (what === 'collect') this.#collectedBytes = residentBytes;
    this.#collectedBytes ??= residentBytes;
    this.#putOffAtMs = undefined;
    this.#notBeforeMs = nowMs + tookMs * pausePerMs;
  }
}
