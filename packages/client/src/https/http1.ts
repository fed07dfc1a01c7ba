/** Requests over HTTP/1.1, for servers and proxies that know nothing newer, and for plain HTTP. */

import { request as requestHttp } from 'node:http';
import type { ClientRequest, IncomingMessage, RequestOptions } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { TransportRequest, TransportResponse } from '../transport.ts';
import type { Connections } from './connections.ts';
import { responseOf } from './response.ts';

export async function sendHttp1(
  connections: Connections,
  request: TransportRequest,
): Promise<TransportResponse> {
  const { url, agent } = connections;
  const secure = url.protocol === 'https:';
  const options: RequestOptions = {
    ...(secure ? await connections.tlsOptions() : {}),
    agent,
    method: request.method,
    hostname: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port || (secure ? 443 : 80),
    path: request.path,
    headers: request.headers as Record<string, string | string[]>,
    ...(request.signal === undefined ? {} : { signal: request.signal }),
  };
  return new Promise((resolve, reject) => {
    const answered = (message: IncomingMessage) =>
      resolve(responseOf(message.statusCode ?? 0, message.headers, message));
    const sent: ClientRequest = secure ? requestHttps(options, answered) : requestHttp(options, answered);
    sent.once('error', (error) => reject(request.signal?.aborted ? request.signal.reason : error));
    sent.end(request.body instanceof Uint8Array ? request.body : undefined);
  });
}
