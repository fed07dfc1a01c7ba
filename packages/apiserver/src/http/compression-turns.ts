/**
 * Who may use the threads that compress: few pieces at once, since the same threads also read and write files, and on few
 * processors what they take is taken from everybody. Next is the owner of whom the fewest bytes were compressed.
 */
import type { Clock } from '@coxswain/apimachinery';
import { FairOrder } from '@coxswain/apimachinery/fair-order.ts';

/** Of the four threads that Node has for this and for files. */
export const piecesAtOnceMax = 2;
/** Someone who asks again after this time begins anew. */
const awayAfterMs = 1_000;
/** An owner's advantage from having asked for little. */
const creditBytesMax = 4 * 1024 * 1024;

export class CompressionTurns {
  readonly #waiting = new FairOrder<() => void>({ awayAfterMs, creditMax: creditBytesMax });
  #free = piecesAtOnceMax;

  /** Has `compress` called when it is the owner's turn. */
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

/** For whom something is compressed, and the clock by which the thread is shared. */
export interface CompressedFor {
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly owner: string;
}
