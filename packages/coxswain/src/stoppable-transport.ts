import type { Transport, TransportRequest, TransportResponse } from '@coxswain/client';

/**
 * A component's way into the server, closed when the component is told to stop: what it still wants to write
 * then is refused at once, instead of being put off by a server that is stopping too.
 */
export class StoppableTransport implements Transport {
  readonly structured: boolean;
  readonly address: string;
  readonly #inner: Transport;
  readonly #signal: AbortSignal;

  constructor(inner: Transport, signal: AbortSignal) {
    this.structured = inner.structured;
    this.address = inner.address;
    this.#inner = inner;
    this.#signal = signal;
  }

  send(request: TransportRequest): Promise<TransportResponse> {
    return this.#signal.aborted ? Promise.reject(this.#signal.reason as Error) : this.#inner.send(request);
  }

  close(): Promise<void> {
    return this.#inner.close();
  }
}
