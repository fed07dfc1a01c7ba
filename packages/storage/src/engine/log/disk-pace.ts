import type { Clock } from '@coxswain/apimachinery';
import type { CommitGroup } from '../table.ts';

/** A disk slower than this is not waited for, … */
const quickMsMax = 0.5;
/** … until this many consecutive writes have been faster. */
const quickWritesMin = 4;
/** A synchronous write that takes this long is noticed by readers, … */
const stallMsMin = 250;
/** … and the disk is not waited for again before this time has passed, doubled after each such write, … */
const stallPauseMsMin = 60_000;
/** … up to this. */
const stallPauseMsMax = 60 * 60 * 1000;
/** With more commits than this there is more to do while the disk writes than handing over costs. */
const smallGroupMax = 16;

/**
 * Decides whether the process waits for the disk itself instead of handing the write to another thread, which costs
 * about as much as everything else in a small write: it does for a small group on a disk that is fast enough that
 * others don't notice.
 *
 * A disk that stops responding during a synchronous write stops the process, including readers and probes, and nothing
 * can be done about that one write. A disk that was once late may be late again: it stops the process at most once a
 * minute, then at most once an hour, however often it happens.
 */
export class DiskPace {
  readonly #clock: Clock;
  #quickWrites = 0;
  #pauseMs = 0;
  #pausedUntilMs = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  isWaitedFor({ commits }: CommitGroup): boolean {
    if (commits.length > smallGroupMax || this.#quickWrites < quickWritesMin) return false;
    return this.#pauseMs === 0 || this.#clock.monotonic() >= this.#pausedUntilMs;
  }

  begin(): number {
    return this.#clock.monotonic();
  }

  /** For an asynchronous write, the measured time includes this process's own delay in noticing it. */
  end(startMs: number, isWaitedFor: boolean): void {
    const endMs = this.#clock.monotonic();
    this.#quickWrites = endMs - startMs <= quickMsMax ? this.#quickWrites + 1 : 0;
    if (!isWaitedFor || endMs - startMs < stallMsMin) return;
    this.#pauseMs = Math.min(Math.max(stallPauseMsMin, 2 * this.#pauseMs), stallPauseMsMax);
    this.#pausedUntilMs = endMs + this.#pauseMs;
  }
}
