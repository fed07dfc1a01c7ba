import type { Clock } from '@coxswain/apimachinery';
import type { CommitGroup } from '../table.ts';

/** A disk that takes longer than this is not waited for, … */
const quickMsMax = 0.5;
/** … before so many writes in a row have been quicker again. */
const quickWritesMin = 4;
/** Readers notice a write that was waited for so long, … */
const stallMsMin = 250;
/** … and the disk is not waited for again before so much time has gone by, twice as much after each, … */
const stallPauseMsMin = 60_000;
/** … up to this. */
const stallPauseMsMax = 60 * 60 * 1000;
/** With more commits than this there is more to do while the disk writes than handing over costs. */
const smallGroupMax = 16;

/**
 * Whether the process waits for the disk itself instead of handing the write over to another thread and back, which
 * costs about as much as all else of a small write: it does for a small group, where the disk is so quick that
 * others don't notice.
 *
 * A disk that stops answering while it is waited for stops the process with it, readers and probes included, and
 * nothing can be done about that one write. One that answered late once may do so again: it stops the process
 * at most once a minute, then at most once an hour, however often it stops by itself.
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

  /** Where it was not waited for, others only noticed that this process was late to hear of it. */
  end(startMs: number, isWaitedFor: boolean): void {
    const endMs = this.#clock.monotonic();
    this.#quickWrites = endMs - startMs <= quickMsMax ? this.#quickWrites + 1 : 0;
    if (!isWaitedFor || endMs - startMs < stallMsMin) return;
    this.#pauseMs = Math.min(Math.max(stallPauseMsMin, 2 * this.#pauseMs), stallPauseMsMax);
    this.#pausedUntilMs = endMs + this.#pauseMs;
  }
}
