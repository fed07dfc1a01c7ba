import type { Transport, TransportRequest, TransportResponse } from '@coxswain/client';

/** Another transport, all of it; what is to be otherwise is overridden. */
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
