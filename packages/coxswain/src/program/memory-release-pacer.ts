/**
 * Decides when a process releases memory. Both ways block the event loop: walking the allocator's heaps takes some
 * milliseconds, and a garbage collection about one per megabyte of live data. A busy process is therefore left alone
 * for a while, and only a small share of the time is ever spent on this.
 */

/** 'trim' returns freed memory that the allocator retains. 'collect' collects garbage first, then trims. */
export type GiveBack = 'nothing' | 'trim' | 'collect';

/** One observation of the process. */
export interface MemoryLook {
  readonly residentBytes: number;
  /** The share of the time since the last look that the event loop was not idle. */
  readonly utilization: number;
  readonly nowMs: number;
  /** Whether a collection would block for tenths of a second or more. */
  readonly isHeapLarge?: boolean;
}

/** The growth since the last release that triggers another one, in bytes. */
const growthBytes = 48 * 1024 * 1024;
/** The same for the first release: much of what a start has touched is never needed again. */
const startGrowthBytes = 16 * 1024 * 1024;
/**
 * The growth since the last collection that triggers another one: more than the young generation, whose size varies
 * with the load.
 */
const garbageBytes = 64 * 1024 * 1024;
/** The event loop utilization below which a collection disturbs nothing. */
const quietUtilization = 0.3;
/** The utilization above which a process counts as busy. */
const busyUtilization = 0.5;
/** How long releases are postponed in a busy process, in milliseconds. */
const busyMsMax = 30_000;
/** The length of the pause after a release, in multiples of its duration. */
const pausePerMs = 50;

/** Whether the process is idle enough to fault in program pages again unnoticed. */
export const isQuiet = (utilization: number): boolean => utilization <= quietUtilization;

export class MemoryReleasePacer {
  #keptBytes: number;
  /**
   * Resident bytes after the last collection; undefined until the first release, since the start leaves little garbage.
   */
  #collectedBytes: number | undefined;
  #notBeforeMs = -Infinity;
  /** When a due release was first postponed because of the load. */
  #putOffAtMs: number | undefined;

  /** @param residentBytes the current resident memory of the process */
  constructor(residentBytes: number) {
    this.#keptBytes = residentBytes;
  }

  next({ residentBytes, utilization, nowMs, isHeapLarge = false }: MemoryLook): GiveBack {
    // Memory released in other ways must grow again before it counts.
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

  /** @param tookMs how long the event loop was blocked */
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
