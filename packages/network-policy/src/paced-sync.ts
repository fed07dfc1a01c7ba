import type { Clock, Timer } from '@coxswain/apimachinery';

export interface PacedSyncOptions {
  readonly job: () => Promise<void>;
  readonly clock: Clock;
  /** Between the end of one run and the start of the next. */
  readonly restMs: number;
  /** After a failure. */
  readonly retryMs: number;
  readonly onError: (error: unknown) => void;
}

/** Runs a job when asked, but not too often, and never twice at a time; what is asked for meanwhile is done together. */
export class PacedSync {
  readonly #options: PacedSyncOptions;
  #isOpen = false;
  #isClosed = false;
  #isWanted = false;
  #timer: Timer | undefined;
  #running: Promise<void> | undefined;
  #next = Promise.withResolvers<void>();

  constructor(options: PacedSyncOptions) {
    this.#options = options;
  }

  /** Requests before this wait for it. */
  open(): void {
    this.#isOpen = true;
    if (this.#isWanted) this.#begin();
  }

  request(): void {
    this.#isWanted = true;
    if (this.#isOpen && this.#timer === undefined && this.#running === undefined) this.#begin();
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
    const waiting = this.#next;
    this.#next = Promise.withResolvers<void>();
    this.#isWanted = false;
    const { job, onError, restMs, retryMs } = this.#options;
    this.#running = job().then(
      () => {
        waiting.resolve();
        this.#rest(restMs);
      },
      (error: unknown) => {
        onError(error);
        void this.#next.promise.then(() => waiting.resolve());
        this.#isWanted = true;
        this.#rest(retryMs);
      },
    );
  }

  #rest(ms: number): void {
    this.#running = undefined;
    if (this.#isClosed) return;
    this.#timer = this.#options.clock.after(
      ms,
      () => {
        this.#timer = undefined;
        if (this.#isWanted) this.#begin();
      },
      { idle: true },
    );
  }
}
