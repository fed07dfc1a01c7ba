import type { Transport, TransportRequest, TransportResponse } from '@coxswain/client';
import { WrappedTransport } from './wrapped-transport.ts';

const reading: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * A component's transport to the server, closed when the component is stopped: later requests are refused at once
 * instead of being delayed by a server that is stopping, too.
 */
export class StoppableTransport extends WrappedTransport {
  readonly #signal: AbortSignal;
  readonly #writes: Set<Promise<unknown>>;

  /** @param writes receives the writes that were sent but not answered yet */
  constructor(inner: Transport, signal: AbortSignal, writes: Set<Promise<unknown>> = new Set()) {
    super(inner);
    this.#signal = signal;
    this.#writes = writes;
  }

  override send(request: TransportRequest): Promise<TransportResponse> {
    if (this.#signal.aborted) return Promise.reject(this.#signal.reason as Error);
    const answer = super.send(request);
    if (reading.has(request.method)) return answer;
    this.#writes.add(answer);
    const done = () => void this.#writes.delete(answer);
    answer.then(done, done);
    return answer;
  }
}
