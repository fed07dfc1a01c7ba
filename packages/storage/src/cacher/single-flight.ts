/**
 * Shares one request among concurrent callers. A result is valid only for those who called before the request was sent;
 * later callers share the next one.
 */
export class SingleFlight<A> {
  readonly #put: () => Promise<A>;
  #current: Promise<A> | undefined;
  #next: Promise<A> | undefined;

  constructor(put: () => Promise<A>) {
    this.#put = put;
  }

  ask(): Promise<A> {
    if (this.#current === undefined) return this.#start();
    const ended = this.#current.catch(() => undefined);
    return (this.#next ??= ended.then(() => {
      this.#next = undefined;
      return this.#start();
    }));
  }

  #start(): Promise<A> {
    const current = this.#put().finally(() => {
      if (this.#current === current) this.#current = undefined;
    });
    this.#current = current;
    return current;
  }
}
