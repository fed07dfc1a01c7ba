/** The watches that clients have open, so that a stopping server can end them: in order, and not all at once. */
import type { Clock } from '@coxswain/apimachinery';

/** However long the server may take: nobody wants to wait for the last of a few. The original's. */
const endedPerSecondMin = 200;
const stepMs = 50;

export class OpenWatches {
  readonly #stops = new Set<() => void>();

  get count(): number {
    return this.#stops.size;
  }

  /** @param stop ends the watch. Returns what to call when it has ended. */
  add(stop: () => void): () => void {
    this.#stops.add(stop);
    return () => this.#stops.delete(stop);
  }

  /** Ends them one after the other within this time, so that not all clients come to other servers at once. */
  async end(clock: Clock, withinMs: number): Promise<void> {
    const perSecond = Math.max(endedPerSecondMin, (this.#stops.size * 1000) / withinMs);
    const endMs = clock.monotonic() + withinMs;
    while (this.#stops.size > 0 && clock.monotonic() < endMs) {
      this.#endSome(Math.ceil((perSecond * stepMs) / 1000));
      if (this.#stops.size > 0) await clock.sleep(stepMs);
    }
    this.endAll();
  }

  endAll(): void {
    this.#endSome(this.#stops.size);
  }

  #endSome(countMax: number): void {
    let left = countMax;
    for (const stop of this.#stops) {
      if (left-- <= 0) return;
      this.#stops.delete(stop);
      stop();
    }
  }
}
