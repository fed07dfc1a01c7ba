import type { Clock, Timer } from '@coxswain/apimachinery';

export interface PacedSyncOptions {
  /** Resolves with the milliseconds after which it is to run again, even though nobody asks. */
  readonly job: () => Promise<number | undefined>;
  /** From the end of a run to the beginning of the next. */
  readonly periodMinMs: number;
  /** After a run that failed. */
  readonly retryMs: number;
  /** It runs so often even when nobody asks. */
  readonly periodMaxMs: number;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly onError: (error: unknown) => void;
}

/** Runs a job when asked, but not too often, and never twice at a time. */
export class PacedSync {
  readonly #options: PacedSyncOptions;
  #isOpen = false;
  #isWanted = false;
  /** Whether a run may begin at once. */
  #isRested = true;
  #timer: Timer | undefined;
  #running: Promise<void> | undefined;

  constructor(options: PacedSyncOptions) {
    this.#options = options;
  }

  /** Requests before this wait for it. Resolves after the first run. */
  async open(): Promise<void> {
    this.#isOpen = true;
    this.#start();
    await this.#running;
  }

  request(): void {
    this.#isWanted = true;
    if (this.#isOpen && this.#isRested && this.#running === undefined) this.#start();
  }

  async settled(): Promise<void> {
    this.#timer?.cancel();
    await this.#running;
  }

  #start(): void {
    const { job, signal, onError, retryMs, periodMaxMs } = this.#options;
    if (signal.aborted) return;
    this.#timer?.cancel();
    this.#isWanted = false;
    this.#isRested = false;
    this.#running = job().then(
      (againMs) => this.#rest(this.#options.periodMinMs, againMs ?? periodMaxMs),
      (error: unknown) => {
        onError(error);
        this.#rest(retryMs, retryMs);
      },
    );
  }

  /** @param nextMs until it runs without being asked */
  #rest(restMs: number, nextMs: number): void {
    this.#running = undefined;
    if (this.#options.signal.aborted) return;
    this.#after(restMs, () => {
      if (this.#isWanted || nextMs <= restMs) return this.#start();
      this.#isRested = true;
      this.#after(nextMs - restMs, () => this.#start());
    });
  }

  #after(ms: number, then: () => void): void {
    this.#timer = this.#options.clock.after(ms, then, { idle: true });
  }
}
