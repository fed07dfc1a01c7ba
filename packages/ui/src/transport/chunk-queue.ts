/** A queue of bytes, pushed by a producer and pulled by one reader. */

export class ChunkQueue implements AsyncIterableIterator<Uint8Array, void> {
  readonly #leave: () => void;
  #chunks: Uint8Array[] = [];
  #waiting: PromiseWithResolvers<IteratorResult<Uint8Array, void>> | undefined;
  #isOver = false;
  #failure: unknown;

  /** @param leave called when the reader stops reading */
  constructor(leave: () => void) {
    this.#leave = leave;
  }

  add(chunk: Uint8Array): void {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (waiting === undefined) this.#chunks.push(chunk);
    else waiting.resolve({ done: false, value: chunk });
  }

  end(): void {
    this.#isOver = true;
    this.#waiting?.resolve({ done: true, value: undefined });
  }

  fail(failure: unknown): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#failure = failure;
    this.#waiting?.reject(failure);
  }

  async next(): Promise<IteratorResult<Uint8Array, void>> {
    const chunk = this.#chunks.shift();
    if (chunk !== undefined) return { done: false, value: chunk };
    if (this.#failure !== undefined) throw this.#failure;
    if (this.#isOver) return { done: true, value: undefined };
    this.#waiting = Promise.withResolvers();
    return this.#waiting.promise;
  }

  async return(): Promise<IteratorResult<Uint8Array, void>> {
    this.#isOver = true;
    this.#chunks = [];
    this.#leave();
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}
