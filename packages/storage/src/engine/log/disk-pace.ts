import type { Clock } from '@coxswain/apimachinery';
import type { CommitGroup } from '../table.ts';

/** A disk that takes longer than this is not waited for, … */
const quickMsMax = 0.5;
/** … before so many writes in a row have been quicker again. */
const quickWritesMin = 4;
/** With more commits than this there is more to do while the disk writes than handing over costs. */
const smallGroupMax = 16;

/**
 * Whether the process waits for the disk itself instead of handing the write over to another thread and back, which
 * costs about as much as all else of a small write: it does for a small group, where the disk is so quick that
 * others don't notice.
 */
export class DiskPace {
  readonly #clock: Clock;
  #quickWrites = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  isWaitedFor({ commits }: CommitGroup): boolean {
    return commits.length <= smallGroupMax && this.#quickWrites >= quickWritesMin;
  }

  begin(): number {
    return this.#clock.monotonic();
  }

  end(startMs: number): void {
    this.#quickWrites = this.#clock.monotonic() - startMs <= quickMsMax ? this.#quickWrites + 1 : 0;
  }
}
