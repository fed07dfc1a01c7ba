/** One call of a function that somebody has given, and what it costs in time. */

import { beginInWallTime } from '@coxswain/apimachinery/wall-time.ts';

/**
 * How long the cluster's time waits for a function, on the wall: it may read a file, and none of the cluster's time
 * passes meanwhile. Whoever does not answer is waited for no longer, and time goes on without the answer.
 */
const patienceMs = 500;
/** For others of a container while one of its functions has been silent for so long. */
const patienceAfterSilenceMs = 5;

/** The calls of one container. */
export class FunctionCalls {
  readonly #open = new Set<{ readonly sinceMs: number }>();

  get count(): number {
    return this.#open.size;
  }

  /** Calls `act`, which waits for the cluster (its clock, its network) within `call.wait` only. */
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
  /** How often it waits for the cluster at this moment. */
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
