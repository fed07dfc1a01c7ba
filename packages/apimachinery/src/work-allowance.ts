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

  begin(): void {
    this.#sinceMs = this.#clock.monotonic();
  }

  end(): void {
    this.#leftMs -= this.#clock.monotonic() - this.#sinceMs;
  }

  /** @throws AllowanceSpent */
  askLeave(): void {
    if (this.#clock.monotonic() - this.#sinceMs > this.#leftMs) throw new AllowanceSpent();
  }
}

/**
 * `work` within an allowance, or without bound where there is none.
 * @throws AllowanceSpent when `work` asks for leave to go on and has none
 */
export function withinAllowance<T>(allowance: WorkAllowance | undefined, work: () => T): T {
  if (allowance === undefined) return work();
  const around = current;
  current = allowance;
  allowance.begin();
  try {
    return work();
  } finally {
    allowance.end();
    current = around;
  }
}

/** Whether somebody is to be asked for leave to go on. */
export const currentAllowance = (): WorkAllowance | undefined => current;
