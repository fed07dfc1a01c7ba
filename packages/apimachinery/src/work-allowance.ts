/**
 * How long the work of one request may hold up the thread that it shares with all others. Work whose length nobody
 * can tell beforehand, such as expressions, asks now and then whether to go on. It stops by an exception once the
 * allowance is spent: the request then begins anew where it is in nobody's way.
 */
import type { Clock } from './clock.ts';

/** Thrown through the work: nothing of it counts. */
export class AllowanceSpent extends Error {
  constructor() {
    super('this takes longer than one request may hold up all others');
  }
}

/** That of the work that is being done; all of it is synchronous. */
let current: WorkAllowance | undefined;

export class WorkAllowance {
  readonly #clock: Pick<Clock, 'monotonic'>;
  #leftMs: number;
  #sinceMs = 0;

  constructor(clock: Pick<Clock, 'monotonic'>, allowedMs: number) {
    this.#clock = clock;
    this.#leftMs = allowedMs;
  }

  /** @throws AllowanceSpent when `work` asks for leave to go on and has none */
  run<T>(work: () => T): T {
    const around = current;
    current = this;
    this.#sinceMs = this.#clock.monotonic();
    try {
      return work();
    } finally {
      this.#leftMs -= this.#clock.monotonic() - this.#sinceMs;
      current = around;
    }
  }

  /** @throws AllowanceSpent */
  askLeave(): void {
    if (this.#clock.monotonic() - this.#sinceMs > this.#leftMs) throw new AllowanceSpent();
  }
}

/** `work` within an allowance, or without bound where there is none. */
export const withinAllowance = <T>(allowance: WorkAllowance | undefined, work: () => T): T =>
  allowance === undefined ? work() : allowance.run(work);

/** Whether somebody is to be asked for leave to go on. */
export const currentAllowance = (): WorkAllowance | undefined => current;
