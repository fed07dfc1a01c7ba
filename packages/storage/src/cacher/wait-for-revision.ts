import type { Clock } from '@coxswain/apimachinery';
import type { Revision } from '../storage.ts';

interface Waiting {
  readonly revision: Revision;
  readonly resolve: (reached: boolean) => void;
}

/** Waits of readers until the cache has reached a revision. */
export class RevisionWaits {
  readonly #clock: Clock;
  #waiting: Set<Waiting> | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get some(): boolean {
    return this.#waiting !== undefined && this.#waiting.size > 0;
  }

  /** Resolves with whether `revision` was reached within `withinMs`. */
  wait(revision: Revision, withinMs: number): Promise<boolean> {
    return new Promise((resolve) => {
      const waiting: Waiting = {
        revision,
        resolve: (reached) => {
          this.#waiting?.delete(waiting);
          timer.cancel();
          resolve(reached);
        },
      };
      const timer = this.#clock.after(withinMs, () => waiting.resolve(false), { idle: true });
      (this.#waiting ??= new Set()).add(waiting);
    });
  }

  reached(revision: Revision): void {
    for (const waiting of this.#waiting ?? []) if (waiting.revision <= revision) waiting.resolve(true);
  }
}
