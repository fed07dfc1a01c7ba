/**
 * Requests that only the main thread can serve and whose bodies may have no end: logs, exec, and what is forwarded. The
 * bodies of both directions, and upgraded connections, pass through a {@link PortSocket}.
 */
import { pipeline, Readable, type Duplex } from 'node:stream';
import { detach } from '@coxswain/apimachinery/detach.ts';
import type { ApiRequest } from '@coxswain/apiserver';
import type { ApiResponse, StreamSink } from '@coxswain/apiserver/http/api-response.ts';
import { bodyChunks } from '@coxswain/apiserver/http/in-process.ts';
import { ReadRequest } from '@coxswain/apiserver/http/read-request.ts';
import { bodyTooLarge, type BodyStream } from '@coxswain/apiserver/http/request-body.ts';
import {
  headFromPost,
  headToPost,
  requestFromPost,
  requestToPost,
  type PostedHead,
  type PostedRequest,
} from '@coxswain/apiserver/posted-request.ts';
import { joinSockets } from '@coxswain/streaming';
import type { Clock } from '@coxswain/apimachinery';

export interface CarriedRequest {
  readonly request: PostedRequest;
  /** Whether the socket carries a body. */
  readonly hasStream: boolean;
}

export interface CarriedAnswer {
  readonly head: PostedHead;
  /** The body, or what the socket carries. */
  readonly body: Uint8Array | 'stream' | 'endless' | 'upgrade';
}

const noBytes = new Uint8Array(0);

/** In the serving thread, before the request is posted. */
export function carriedRequest(request: ApiRequest, socket: Duplex, nowMs: number): CarriedRequest {
  const { body } = request.incoming;
  const hasStream = body.kind === 'stream';
  if (hasStream) pipeline(Readable.from(body.stream.chunks()), socket, () => undefined);
  const bytes = body.kind === 'bytes' ? body.bytes : noBytes;
  return { request: requestToPost(request, bytes, nowMs), hasStream };
}

/** In the main thread. Its signal aborts when the client has disconnected. */
export function requestOf(
  { request: posted, hasStream }: CarriedRequest,
  socket: Duplex,
  services: { readonly clock: Clock; readonly log: (line: string) => void },
): ApiRequest {
  const gone = new AbortController();
  socket.once('close', () => gone.abort());
  const request = requestFromPost(posted, gone.signal, services);
  if (hasStream)
    request.incoming = new ReadRequest(request.incoming, { kind: 'stream', stream: streamOf(socket) });
  return request;
}

/** In the main thread. */
export function carriedAnswer(request: ApiRequest, response: ApiResponse, socket: Duplex): CarriedAnswer {
  const head = headToPost(request, response);
  const { body } = response;
  if (body.kind === 'bytes') return { head, body: body.bytes };
  if (body.kind === 'none') return { head, body: noBytes };
  if (body.kind === 'upgrade') {
    body.accept(socket, noBytes);
    return { head, body: 'upgrade' };
  }
  pipeline(bodyChunks(response, request.signal), socket, () => undefined);
  return { head, body: body.kind === 'stream' && body.endless !== true ? 'stream' : 'endless' };
}

/** In the serving thread. */
export function responseOf(request: ApiRequest, { head, body }: CarriedAnswer, socket: Duplex): ApiResponse {
  const { status, headers } = headFromPost(request, head);
  if (body === 'upgrade') {
    const accept = (client: unknown, early: Uint8Array) =>
      joinSockets({ socket: client as Duplex, head: early }, { socket, head: noBytes });
    return { status, headers, body: { kind: 'upgrade', accept } };
  }
  if (body instanceof Uint8Array) {
    socket.destroy();
    return { status, headers, body: { kind: 'bytes', bytes: body } };
  }
  const open = (sink: StreamSink) => pour(socket, sink);
  return { status, headers, body: { kind: 'stream', open, ...(body === 'endless' && { endless: true }) } };
}

/** A body that ends early is reported as such. */
function pour(socket: Duplex, sink: StreamSink): void {
  sink.onClose(() => socket.destroy());
  socket.on('data', (bytes: Uint8Array) => {
    sink.write(bytes);
    const drained = sink.drained();
    if (drained === undefined) return;
    socket.pause();
    detach(drained.then(() => socket.resume()));
  });
  let isWhole = false;
  socket.once('end', () => {
    isWhole = true;
    sink.end();
    socket.destroy();
  });
  socket.once('close', () => {
    if (!isWhole) sink.abort();
  });
}

const streamOf = (socket: Duplex): BodyStream => ({
  async read(bytesMax) {
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    for await (const chunk of socket.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>) {
      bytes += chunk.length;
      if (bytes > bytesMax) throw bodyTooLarge(bytesMax);
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  },
  chunks: () => socket.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>,
});
