import type { Transport, TransportRequest, TransportResponse } from '@coxswain/client';
import { WrappedTransport } from './wrapped-transport.ts';

/**
 * A component's way into the server, closed when the component is told to stop: what it still wants to write
 * then is refused at once, instead of being put off by a server that is stopping too.
 */
export class StoppableTransport extends WrappedTransport {
  readonly #signal: AbortSignal;
  readonly #underWay: Set<Promise<unknown>>;

  /** @param underWay has what was sent and is not answered yet */
  constructor(inner: Transport, signal: AbortSignal, underWay: Set<Promise<unknown>> = new Set()) {
    super(inner);
    this.#signal = signal;
    this.#underWay = underWay;
  }

  override send(request: TransportRequest): Promise<TransportResponse> {
    if (this.#signal.aborted) return Promise.reject(this.#signal.reason as Error);
    const answer = super.send(request);
    this.#underWay.add(answer);
    const done = () => void this.#underWay.delete(answer);
    answer.then(done, done);
    return answer;
  }
}
