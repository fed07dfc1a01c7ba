import type { Transport, TransportRequest, TransportResponse } from '@coxswain/client';

/** Delegates to another transport; subclasses override what differs. */
export class WrappedTransport implements Transport {
  readonly structured: boolean;
  readonly address: string;
  protected readonly inner: Transport;

  constructor(inner: Transport) {
    this.structured = inner.structured;
    this.address = inner.address;
    this.inner = inner;
  }

  send(request: TransportRequest): Promise<TransportResponse> {
    return this.inner.send(request);
  }

  close(): Promise<void> {
    return this.inner.close();
  }
}
