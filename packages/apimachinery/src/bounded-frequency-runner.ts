import type { Clock, Timer } from './clock.ts';

export interface BoundedFrequencyRunnerOptions {
  /** May resolve with the milliseconds after which it is to run again, even though nobody asks. */
  readonly job: () => Promise<number | void>;
  /** From the end of a run to the beginning of the next, in milliseconds. */
  readonly restMs: number;
  /** After a run that failed. */
  readonly retryMs: number;
  /** It runs so often even when nobody asks; never of itself when absent. */
  readonly periodMaxMs?: number;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
}

/** Runs a job when asked, but not too often, and never twice at a time; what is asked for meanwhile is done together. */
export class BoundedFrequencyRunner {
  readonly #options: BoundedFrequencyRunnerOptions;
  #isOpen = false;
  #isClosed = false;
  #isWanted = false;
  /** Whether a run may begin at once. */
  #isRested = true;
  #timer: Timer | undefined;
  #running: Promise<void> | undefined;
  #next = Promise.withResolvers<void>();

  constructor(options: BoundedFrequencyRunnerOptions) {
    this.#options = options;
  }

  /** Requests before this wait for it. Resolves after the first run, also where it fails. */
  async open(): Promise<void> {
    this.#isOpen = true;
    this.#begin();
    await this.#running;
  }

  request(): void {
    this.#isWanted = true;
    if (this.#isOpen && this.#isRested && this.#running === undefined) this.#begin();
  }

  /** Resolves when a run that began after this call has succeeded, or nothing runs any more. */
  done(): Promise<void> {
    const { promise } = this.#next;
    this.request();
    return promise;
  }

  /** Resolves when the run under way has ended. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#timer?.cancel();
    await this.#running;
    this.#next.resolve();
  }

  #begin(): void {
    if (this.#isClosed) return;
    const { job, onError, restMs, retryMs, periodMaxMs } = this.#options;
    const waiting = this.#next;
    this.#next = Promise.withResolvers<void>();
    this.#timer?.cancel();
    this.#isWanted = false;
    this.#isRested = false;
    this.#running = job().then(
      (againMs) => {
        waiting.resolve();
        this.#rest(restMs, againMs ?? periodMaxMs);
      },
      (error: unknown) => {
        onError(error);
        void this.#next.promise.then(() => waiting.resolve());
        this.#rest(retryMs, retryMs);
      },
    );
  }

  /** @param nextMs until it runs without being asked */
  #rest(restMs: number, nextMs: number | undefined): void {
    this.#running = undefined;
    if (this.#isClosed) return;
    this.#after(restMs, () => {
      this.#isRested = true;
      if (this.#isWanted || (nextMs !== undefined && nextMs <= restMs)) this.#begin();
      else if (nextMs !== undefined) this.#after(nextMs - restMs, () => this.#begin());
    });
  }

  #after(ms: number, then: () => void): void {
    this.#timer = this.#options.clock.after(ms, then, { idle: true });
  }
}
