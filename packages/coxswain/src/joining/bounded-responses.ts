/** Limits the size of responses from a server that is not trusted yet. */
import type { Transport, TransportRequest, TransportResponse } from '@coxswain/client';

export class BoundedResponses implements Transport {
  readonly structured = false;
  readonly #transport: Transport;
  readonly #bytesMax: number;

  constructor(transport: Transport, bytesMax: number) {
    this.#transport = transport;
    this.#bytesMax = bytesMax;
  }

  get address(): string {
    return this.#transport.address;
  }

  async send(request: TransportRequest): Promise<TransportResponse> {
    const response = await this.#transport.send(request);
    const stream = () => this.#bounded(response);
    return { ...response, stream, bytes: async () => Buffer.concat(await Array.fromAsync(stream())) };
  }

  close(): Promise<void> {
    return this.#transport.close();
  }

  /** @throws Error if the response is longer; reading stops then */
  async *#bounded({ stream }: TransportResponse): AsyncGenerator<Uint8Array> {
    let bytes = 0;
    for await (const chunk of stream()) {
      bytes += chunk.length;
      if (bytes > this.#bytesMax) throw new Error(`the answer has more than ${this.#bytesMax} bytes`);
      yield chunk;
    }
  }
}
