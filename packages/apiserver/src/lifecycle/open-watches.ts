/** The open watches of a server, so that they can be ended gradually when it stops. */
import type { Clock } from '@coxswain/apimachinery';

/** The minimum rate, however long the server may take, so that few watches end quickly; upstream's value. */
const endedPerSecondMin = 200;
const stepMs = 50;

export class OpenWatches {
  readonly #stops = new Set<() => void>();

  get count(): number {
    return this.#stops.size;
  }

  /** @param stop ends the watch. Returns a function to call when it has ended. */
  add(stop: () => void): () => void {
    this.#stops.add(stop);
    return () => this.#stops.delete(stop);
  }

  /** Ends all watches one after the other within this time, so that not all clients reconnect elsewhere at once. */
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
