/**
 * Connects `@coxswain/client` to the API server from a page, through the page's server. Finite responses use `fetch`;
 * endless ones (watches, followed logs) share one WebSocket, since a browser opens six connections per server.
 */

import type { Transport, TransportRequest, TransportResponse } from '@coxswain/client';
import { connectionLost } from './connection-lost.ts';
import { Reachability } from './reachability.ts';
import { StreamSocket } from './stream-socket.ts';

const endless = /[?&](?:watch|follow)=true(?:&|$)/;

export class BrowserTransport implements Transport {
  readonly structured = false;
  readonly address = location.origin;
  readonly reachability = new Reachability();
  readonly #streams = new StreamSocket(this.reachability);

  async send(request: TransportRequest): Promise<TransportResponse> {
    const isEndless = request.method === 'GET' && endless.test(request.path);
    return isEndless ? this.#streams.open(request) : this.#fetch(request);
  }

  async close(): Promise<void> {
    this.#streams.close();
  }

  async #fetch({ method, path, headers, body, signal }: TransportRequest): Promise<TransportResponse> {
    let response: Response;
    try {
      response = await fetch(`/cluster${path}`, {
        method,
        headers: { ...(headers as Record<string, string>), 'x-coxswain-ui': '1' },
        ...(body instanceof Uint8Array && { body: body as Uint8Array<ArrayBuffer> }),
        ...(signal !== undefined && { signal }),
        redirect: 'error',
      });
    } catch (failure) {
      if (!signal?.aborted) this.reachability.lost('page');
      throw signal?.aborted ? failure : connectionLost(failure);
    }
    if (response.headers.has('x-coxswain-unreachable')) this.reachability.lost('cluster');
    else this.reachability.heard();
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      bytes: async () => new Uint8Array(await response.arrayBuffer()),
      stream: () => chunksOf(response),
    };
  }
}

async function* chunksOf({ body }: Response): AsyncGenerator<Uint8Array> {
  if (body === null) return;
  const reader = body.getReader();
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value;
  } finally {
    await reader.cancel();
  }
}
