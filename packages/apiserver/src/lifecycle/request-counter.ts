/** Counts requests in progress and detects when the last one is done. */
export class RequestCounter {
  #count = 0;
  #whenDone: (() => void)[] = [];

  get count(): number {
    return this.#count;
  }

  enter(): void {
    this.#count++;
  }

  leave(): void {
    if (--this.#count > 0) return;
    const waiting = this.#whenDone;
    this.#whenDone = [];
    for (const done of waiting) done();
  }

  /** Resolves when none is in progress. */
  drained(): Promise<void> {
    return this.#count === 0 ? Promise.resolve() : new Promise((resolve) => this.#whenDone.push(resolve));
  }
}
