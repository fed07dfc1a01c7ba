/** Holds back the writes of a cluster's components while the cluster is put back to a snapshot. */

import type { Transport, TransportRequest, TransportResponse } from '@coxswain/client';
import { WrappedTransport } from './wrapped-transport.ts';

/** No Conflict: after that, components wait for the event of whoever was faster, and none comes. */
export class WriteRefused extends Error {
  constructor() {
    super('the cluster was put back to a snapshot meanwhile');
    this.name = 'WriteRefused';
  }
}

const reading = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * What a component wants to write is decided upon what it has read. After a reset that never was: such writes
 * wait until the component has read anew, and are then refused, so that it decides again.
 */
export class WriteGate {
  readonly #underWay = new Set<Promise<unknown>>();
  #closed: Promise<void> | undefined;

  transport(inner: Transport): Transport {
    return new GatedTransport(inner, this);
  }

  send(inner: Transport, request: TransportRequest): Promise<TransportResponse> {
    return reading.has(request.method) ? inner.send(request) : this.#write(inner, request);
  }

  /** Runs `change` when all writes under way are done; new ones are refused after it. */
  async closedDuring(change: () => Promise<void>): Promise<void> {
    while (this.#closed !== undefined) await this.#closed;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#closed = promise;
    try {
      await Promise.allSettled(this.#underWay);
      await change();
    } finally {
      this.#closed = undefined;
      resolve();
    }
  }

  async #write(inner: Transport, request: TransportRequest) {
    if (this.#closed !== undefined) {
      await this.#closed;
      throw new WriteRefused();
    }
    const answer = inner.send(request);
    this.#underWay.add(answer);
    const done = () => void this.#underWay.delete(answer);
    answer.then(done, done);
    return answer;
  }
}

class GatedTransport extends WrappedTransport {
  readonly #gate: WriteGate;

  constructor(inner: Transport, gate: WriteGate) {
    super(inner);
    this.#gate = gate;
  }

  override send(request: TransportRequest): Promise<TransportResponse> {
    return this.#gate.send(this.inner, request);
  }
}
