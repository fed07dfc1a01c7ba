/** Requests over HTTP/1.1, for servers and proxies without HTTP/2, and for unencrypted HTTP. */

import { detach } from '@coxswain/apimachinery/detach.ts';
import {
  request as requestHttp,
  type ClientRequest,
  type IncomingMessage,
  type RequestOptions,
} from 'node:http';
import { request as requestHttps } from 'node:https';
import type { TLSSocket } from 'node:tls';
import { here, runStep, type StepObserver } from '@coxswain/apimachinery';
import { ConnectionSilent, type TransportRequest, type TransportResponse } from '../transport.ts';
import { handshakeTimeoutMs, type Connections } from './connections.ts';
import { responseOf } from './response.ts';

export async function sendHttp1(
  connections: Connections,
  request: TransportRequest,
): Promise<TransportResponse> {
  const { url, agent } = connections;
  const secure = url.protocol === 'https:';
  const body = request.body instanceof Uint8Array ? request.body : undefined;
  const options: RequestOptions = {
    ...(secure ? await connections.tlsOptions() : {}),
    agent,
    method: request.method,
    hostname: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port || (secure ? 443 : 80),
    path: request.path,
    headers: {
      ...(request.headers as Record<string, string | string[]>),
      // Node sets it automatically only for methods that usually have a body, which excludes DELETE.
      ...(body === undefined ? {} : { 'content-length': String(body.byteLength) }),
    },
    ...(request.signal === undefined ? {} : { signal: request.signal }),
  };
  return new Promise((resolve, reject) => {
    const answered = (message: IncomingMessage) =>
      resolve(responseOf(message.statusCode ?? 0, message.headers, message));
    const sent: ClientRequest = secure ? requestHttps(options, answered) : requestHttp(options, answered);
    if (secure)
      sent.once('socket', (socket) => {
        limitHandshake(socket as TLSSocket);
        if (request.observer !== undefined) observeHandshake(socket as TLSSocket, request.observer);
      });
    sent.once('error', (error: NodeJS.ErrnoException) => {
      if (request.signal?.aborted) return reject(request.signal.reason);
      // The server closed an idle connection while this request was being sent.
      const isStale = sent.reusedSocket && error.code === 'ECONNRESET' && request.method === 'GET';
      if (isStale) resolve(sendHttp1(connections, request));
      else reject(error);
    });
    const abort = () => {
      if (request.signal?.reason instanceof ConnectionSilent) connections.distrustIdle();
    };
    request.signal?.addEventListener('abort', abort, { once: true });
    sent.once('close', () => request.signal?.removeEventListener('abort', abort));
    sent.end(body);
  });
}

/** Records the TLS handshake as a step that ends with it. */
function observeHandshake(socket: TLSSocket, observer: StepObserver): void {
  if (isOver(socket)) return;
  detach(
    runStep(observer, here`tls-handshake`, async () => {
      await new Promise<void>((resolve) => {
        socket.once('secureConnect', resolve);
        socket.once('close', () => resolve());
      });
      if (socket.destroyed) return;
      const { subject } = socket.getPeerCertificate();
      observer.note?.({
        protocol: socket.getProtocol(),
        cipher: socket.getCipher()?.name,
        server: subject?.CN,
      });
    }),
  );
}

/** A reused connection has already completed its handshake. */
const isOver = (socket: TLSSocket): boolean => socket.encrypted !== true || socket.getProtocol?.() != null;

function limitHandshake(socket: TLSSocket): void {
  if (isOver(socket)) return;
  const refuse = () => socket.destroy(new Error('net/http: TLS handshake timeout'));
  const timer = setTimeout(refuse, handshakeTimeoutMs);
  const end = () => clearTimeout(timer);
  socket.once('secureConnect', end);
  socket.once('close', end);
}
