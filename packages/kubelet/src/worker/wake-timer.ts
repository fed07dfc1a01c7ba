import type { Clock, Timer } from '@coxswain/apimachinery';

/** Calls `wake` at the earliest of the times that were set. */
export class WakeTimer {
  readonly #clock: Clock;
  readonly #wake: () => void;
  #next: { readonly timer: Timer; readonly atMs: number } | undefined;

  constructor(clock: Clock, wake: () => void) {
    this.#clock = clock;
    this.#wake = wake;
  }

  at(atMs: number): void {
    if (this.#next !== undefined && this.#next.atMs <= atMs) return;
    this.cancel();
    const timer = this.#clock.after(Math.max(0, atMs - this.#clock.now()), () => {
      this.#next = undefined;
      this.#wake();
    });
    this.#next = { timer, atMs };
  }

  cancel(): void {
    this.#next?.timer.cancel();
  }
}
