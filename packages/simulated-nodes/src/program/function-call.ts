/** One call of a user's function, and its effect on the cluster's time. */

import { beginInWallTime } from '@coxswain/apimachinery/wall-time.ts';

/**
 * How long (in real time) the cluster's time waits for a function, which may read a file, for example. Time stands
 * still meanwhile. If the function takes longer, time continues without its result.
 */
const patienceMs = 500;
/** The same limit for other calls of a container after one of its functions has exceeded it. */
const patienceAfterSilenceMs = 5;

/** The calls of one container. */
export class FunctionCalls {
  readonly #open = new Set<{ readonly sinceMs: number }>();

  get count(): number {
    return this.#open.size;
  }

  /** Calls `act`, which waits for the cluster (its clock, its network) only within `call.wait`. */
  async run<T>(act: (call: FunctionCall) => T | Promise<T>): Promise<T> {
    const nowMs = performance.now();
    const isSilent = [...this.#open].some(({ sinceMs }) => nowMs - sinceMs >= patienceMs);
    const call = new FunctionCall(isSilent ? patienceAfterSilenceMs : patienceMs);
    const entry = { sinceMs: nowMs };
    this.#open.add(entry);
    try {
      return await act(call);
    } finally {
      call.end();
      this.#open.delete(entry);
    }
  }
}

export class FunctionCall {
  readonly #patienceMs: number;
  #endWork: () => void;
  /** The number of waits for the cluster at this moment. */
  #waits = 0;
  #isOver = false;

  constructor(patience: number) {
    this.#patienceMs = patience;
    this.#endWork = beginInWallTime(patience);
  }

  /** Waits for something that happens in the cluster's time. */
  async wait<T>(happening: Promise<T>): Promise<T> {
    if (this.#waits++ === 0) this.#endWork();
    try {
      return await happening;
    } finally {
      if (--this.#waits === 0 && !this.#isOver) this.#endWork = beginInWallTime(this.#patienceMs);
    }
  }

  end(): void {
    this.#isOver = true;
    this.#endWork();
  }
}
