/** The seats of one priority level whose requests wait for their bodies. */
import type { Clock, Timer } from '@coxswain/apimachinery';

/** Bodies usually follow their requests at once: for this long, a request keeps its seat. */
const graceMs = 20;

type GiveBack = (nowMs: number) => void;

export class AwaitedBodies {
  readonly #clock: Clock;
  readonly #isWanted: () => boolean;
  /** With the time since when, oldest first. */
  readonly #held = new Map<GiveBack, number>();
  #timer: Timer | undefined;

  /** @param isWanted whether requests wait for seats */
  constructor(clock: Clock, isWanted: () => boolean) {
    this.#clock = clock;
    this.#isWanted = isWanted;
  }

  add(giveBack: GiveBack, nowMs: number): void {
    this.#held.set(giveBack, nowMs);
    this.watch();
  }

  delete(giveBack: GiveBack): void {
    this.#held.delete(giveBack);
  }

  /** To be called when a request begins to wait for seats. */
  watch(): void {
    if (this.#timer !== undefined || this.#held.size === 0 || !this.#isWanted()) return;
    this.#timer = this.#clock.after(graceMs, this.#look, { idle: true });
  }

  readonly #look = (): void => {
    this.#timer = undefined;
    const nowMs = this.#clock.monotonic();
    for (const [giveBack, sinceMs] of this.#held) {
      if (nowMs - sinceMs < graceMs || !this.#isWanted()) break;
      this.#held.delete(giveBack);
      giveBack(nowMs);
    }
    this.watch();
  };
}
