/**
 * Schedules compression on the thread pool: only few pieces at a time, since the same threads read and write files, and
 * on few processors they compete with everything else. The owner with the fewest compressed bytes goes next.
 */
import type { Clock } from '@coxswain/apimachinery';
import { FairOrder } from '@coxswain/apimachinery/fair-order.ts';

/** Of the four threads that Node has for compression and files. */
export const piecesAtOnceMax = 2;
/** An owner that returns after this time starts afresh. */
const awayAfterMs = 1_000;
/** The maximum credit of an owner that has used little. */
const creditBytesMax = 4 * 1024 * 1024;

export class CompressionTurns {
  readonly #waiting = new FairOrder<() => void>({ awayAfterMs, creditMax: creditBytesMax });
  #free = piecesAtOnceMax;

  /** Calls `compress` when it is the owner's turn. */
  async take<T>({ clock, owner }: CompressedFor, bytes: number, compress: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free--;
    else {
      await new Promise<void>((resolve) => this.#waiting.push(owner, resolve, clock.monotonic()));
    }
    this.#waiting.charge(owner, bytes, clock.monotonic());
    try {
      return await compress();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free++;
      else next.work();
    }
  }
}

/** The owner of compressed data, and the clock that schedules the thread. */
export interface CompressedFor {
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly owner: string;
}
