import { GrpcError, grpcCodes } from '../status.ts';

/** The maximum number of queued requests of a stream; a client that sends more is disconnected. */
const waitingRequestsMax = 10_000;

/** Requests as they arrive, for a single reader. */
export class Requests implements AsyncIterable<unknown> {
  #waiting: unknown[] = [];
  #failure: unknown;
  #ended = false;
  #wake: (() => void) | undefined;

  push(request: unknown): void {
    if (this.#waiting.length >= waitingRequestsMax) {
      return this.fail(
        new GrpcError(grpcCodes.resourceExhausted, 'too many requests are waiting on one stream'),
      );
    }
    this.#waiting.push(request);
    this.#wake?.();
  }

  fail(failure: unknown): void {
    this.#failure ??= failure;
    this.end();
  }

  end(): void {
    this.#ended = true;
    this.#wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<unknown, void, void> {
    for (;;) {
      while (this.#waiting.length > 0) yield this.#waiting.shift();
      if (this.#failure !== undefined) throw this.#failure;
      if (this.#ended) return;
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}
