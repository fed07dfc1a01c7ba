/** Requests over one shared HTTP/2 session. Node's module is loaded by the code that opens a session. */

import type { ClientHttp2Session, ClientHttp2Stream } from 'node:http2';
import { ConnectionSilent, type TransportRequest, type TransportResponse } from '../transport.ts';
import { responseOf } from './response.ts';

/** CANCEL of RFC 9113, section 7. */
const cancelled = 8;

export function sendHttp2(
  session: ClientHttp2Session,
  request: TransportRequest,
  distrust: () => void,
): Promise<TransportResponse> {
  return new Promise((resolve, reject) => {
    const body = request.body instanceof Uint8Array ? request.body : undefined;
    const stream: ClientHttp2Stream = session.request(
      {
        ...(request.headers as Record<string, string | string[]>),
        ':method': request.method,
        ':path': request.path,
        ...(body === undefined ? {} : { 'content-length': String(body.byteLength) }),
      },
      { endStream: body === undefined },
    );
    holdProcess(session, stream);
    const abort = () => {
      if (request.signal?.reason instanceof ConnectionSilent) distrust();
      stream.close(cancelled);
      reject(request.signal?.reason);
    };
    request.signal?.addEventListener('abort', abort, { once: true });
    stream.once('close', () => {
      request.signal?.removeEventListener('abort', abort);
      // A session that ends closes its streams without an error.
      reject(new ConnectionLost());
    });
    stream.once('error', reject);
    stream.once('response', (headers) => resolve(responseOf(Number(headers[':status']), headers, stream)));
    if (body !== undefined) stream.end(body);
  });
}

class ConnectionLost extends Error {
  readonly code = 'ECONNRESET';

  constructor() {
    super('the connection was lost before an answer came');
  }
}

const openStreams = new WeakMap<ClientHttp2Session, number>();

/** An idle session lets the process end, one with a stream does not. */
function holdProcess(session: ClientHttp2Session, stream: ClientHttp2Stream): void {
  openStreams.set(session, (openStreams.get(session) ?? 0) + 1);
  session.ref();
  stream.once('close', () => {
    const left = (openStreams.get(session) ?? 1) - 1;
    openStreams.set(session, left);
    if (left === 0 && !session.destroyed) session.unref();
  });
}
