import type { Clock, Timer } from './clock.ts';

export interface BoundedFrequencyRunnerOptions {
  /** May resolve with the milliseconds after which to run again even without a request. */
  readonly job: () => Promise<number | void>;
  /** The minimum time in milliseconds between the end of a run and the beginning of the next. */
  readonly restMs: number;
  /** The same after a failed run. */
  readonly retryMs: number;
  /** The maximum time between runs without a request; unlimited if unset. */
  readonly periodMaxMs?: number;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
}

/**
 * Runs a job on request, but not too often and never concurrently; requests that arrive meanwhile share the next run.
 */
export class BoundedFrequencyRunner {
  readonly #options: BoundedFrequencyRunnerOptions;
  #isOpen = false;
  #isClosed = false;
  #isWanted = false;
  /** Whether a run may begin immediately. */
  #isRested = true;
  #timer: Timer | undefined;
  #running: Promise<void> | undefined;
  #next = Promise.withResolvers<void>();

  constructor(options: BoundedFrequencyRunnerOptions) {
    this.#options = options;
  }

  /** Starts serving requests. Resolves after the first run, even if it fails. */
  async open(): Promise<void> {
    this.#isOpen = true;
    this.#begin();
    await this.#running;
  }

  request(): void {
    this.#isWanted = true;
    if (this.#isOpen && this.#isRested && this.#running === undefined) this.#begin();
  }

  /** Resolves when a run that began after this call has succeeded, or the runner is closed. */
  done(): Promise<void> {
    const { promise } = this.#next;
    this.request();
    return promise;
  }

  /** Resolves when the current run has ended. */
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
        waiting.resolve(this.#next.promise);
        this.#rest(retryMs, retryMs);
      },
    );
  }

  /** @param nextMs the time until it runs without a request */
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
