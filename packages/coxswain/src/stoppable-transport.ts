import type { Transport, TransportRequest, TransportResponse } from '@coxswain/client';
import { WrappedTransport } from './wrapped-transport.ts';

/**
 * A component's way into the server, closed when the component is told to stop: what it still wants to write
 * then is refused at once, instead of being put off by a server that is stopping too.
 */
export class StoppableTransport extends WrappedTransport {
  readonly #signal: AbortSignal;

  constructor(inner: Transport, signal: AbortSignal) {
    super(inner);
    this.#signal = signal;
  }

  override send(request: TransportRequest): Promise<TransportResponse> {
    return this.#signal.aborted ? Promise.reject(this.#signal.reason as Error) : super.send(request);
  }
}
