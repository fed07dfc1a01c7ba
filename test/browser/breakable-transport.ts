/** Reaches a server, until it is broken: then requests fail, and so do the answers that are still coming. */

import type { Transport, TransportRequest, TransportResponse } from '@coxswain/client';

export class BreakableTransport implements Transport {
  readonly structured = false;
  readonly address: string;
  readonly #inner: Transport;
  readonly #onRequest: (request: TransportRequest) => void;
  #broken: PromiseWithResolvers<never> = Promise.withResolvers();
  #isBroken = false;

  constructor(inner: Transport, onRequest: (request: TransportRequest) => void) {
    this.#inner = inner;
    this.#onRequest = onRequest;
    this.address = inner.address;
    this.#broken.promise.catch(() => undefined);
  }

  break(): void {
    this.#isBroken = true;
    this.#broken.reject(new Error('connection refused'));
  }

  mend(): void {
    this.#isBroken = false;
    this.#broken = Promise.withResolvers();
    this.#broken.promise.catch(() => undefined);
  }

  async send(request: TransportRequest): Promise<TransportResponse> {
    if (this.#isBroken) throw new Error('connection refused');
    this.#onRequest(request);
    const answer = await this.#inner.send(request);
    const broken = this.#broken.promise;
    return { ...answer, bytes: () => answer.bytes(), stream: () => untilBroken(answer.stream(), broken) };
  }

  close(): Promise<void> {
    return this.#inner.close();
  }
}

async function* untilBroken(
  stream: AsyncIterable<Uint8Array>,
  broken: Promise<never>,
): AsyncGenerator<Uint8Array> {
  const chunks = stream[Symbol.asyncIterator]();
  for (;;) {
    const { done, value } = await Promise.race([chunks.next(), broken]);
    if (done) return;
    yield value;
  }
}
