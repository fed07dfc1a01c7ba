/**
 * How long the work of one request may block the thread that it shares with all others. Work of unpredictable length,
 * such as expressions, periodically checks its allowance. Once that is spent it stops by an exception: the request then
 * starts again where it blocks nobody.
 */
import type { Clock } from './clock.ts';

/** Between two looks at the clock, in steps of work that take some microseconds each. */
const stepsPerLook = 64;

/** Thrown through the work: none of its results count. */
export class AllowanceSpent extends Error {
  constructor() {
    super('this takes longer than one request may hold up all others');
  }
}

/** The allowance of the current work, which is synchronous. */
let current: WorkAllowance | undefined;

export class WorkAllowance {
  readonly #clock: Pick<Clock, 'monotonic'>;
  #leftMs: number;
  #sinceMs = 0;
  #steps = 0;
  /** The maximum size of what another program returns for the request: it is read in one turn. */
  readonly answerBytesMax: number;

  constructor(
    clock: Pick<Clock, 'monotonic'>,
    allowedMs: number,
    answerBytesMax: number = Number.POSITIVE_INFINITY,
  ) {
    this.#clock = clock;
    this.#leftMs = allowedMs;
    this.answerBytesMax = answerBytesMax;
  }

  begin(): void {
    this.#sinceMs = this.#clock.monotonic();
  }

  end(): void {
    this.#leftMs -= this.#clock.monotonic() - this.#sinceMs;
  }

  /** To be called for each short step of the work. @throws AllowanceSpent */
  countStep(): void {
    if (++this.#steps % stepsPerLook === 0) this.askLeave();
  }

  /** @throws AllowanceSpent */
  askLeave(): void {
    if (this.#clock.monotonic() - this.#sinceMs > this.#leftMs) throw new AllowanceSpent();
  }
}

/**
 * Runs `work` within an allowance, or without limit if there is none.
 * @throws AllowanceSpent when `work` checks the allowance and it is spent
 */
export function withinAllowance<T>(allowance: WorkAllowance | undefined, work: () => T): T {
  // Work within work of the same request has its allowance already.
  if (allowance === undefined || allowance === current) return work();
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

/** The current allowance, if there is one. */
export const currentAllowance = (): WorkAllowance | undefined => current;
