import type { Clock } from '@coxswain/apimachinery';
import type { CommitGroup } from '../table.ts';

/** A disk that takes longer than this is not waited for, … */
const quickMsMax = 0.5;
/** … before so many writes in a row have been quicker again. */
const quickWritesMin = 16;
/** Nobody else is there when the last few commits came one by one. */
const loneGroupsMin = 4;

/**
 * Whether the process waits for the disk itself instead of handing the write over to another thread, which costs
 * several times what a small write does: it does where it has nothing else to write, and the disk is so quick that
 * others don't notice.
 */
export class DiskPace {
  readonly #clock: Clock;
  #quickWrites = 0;
  #loneGroups = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** To be asked once for each group. */
  isWaitedFor({ commits }: CommitGroup): boolean {
    this.#loneGroups = commits.length <= 1 ? this.#loneGroups + 1 : 0;
    return this.#loneGroups > loneGroupsMin && this.#quickWrites >= quickWritesMin;
  }

  begin(): number {
    return this.#clock.monotonic();
  }

  end(startMs: number): void {
    this.#quickWrites = this.#clock.monotonic() - startMs <= quickMsMax ? this.#quickWrites + 1 : 0;
  }
}
