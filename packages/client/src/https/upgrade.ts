/** Protocol upgrades for exec, attach and port-forward, each with its own connection. */
import { request as requestHttp, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { Duplex } from 'node:stream';
import type { UpgradeResponse, TransportRequest } from '../transport.ts';
import { connectTls } from './connect-tls.ts';
import type { Connections } from './connections.ts';
import { responseOf } from './response.ts';

/** Resolves with the connection, or with an ordinary response instead. */
export async function sendUpgrade(
  connections: Connections,
  request: TransportRequest,
): Promise<UpgradeResponse> {
  const { url } = connections;
  const secure = url.protocol === 'https:';
  const tls = secure ? { ...(await connections.tlsOptions()), ALPNProtocols: ['http/1.1'] } : {};
  const tunnel = await connections.tunnel();
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const port = Number(url.port || (secure ? 443 : 80));
  const options: RequestOptions = {
    ...tls,
    agent: false,
    method: request.method,
    host,
    port,
    path: request.path,
    headers: request.headers as Record<string, string | string[]>,
    ...(request.signal === undefined ? {} : { signal: request.signal }),
    ...(secure && {
      createConnection: () => connectTls({ ...tls, host, port, ...(tunnel && { socket: tunnel }) }),
    }),
    ...(!secure && tunnel && { createConnection: () => tunnel }),
  };
  return new Promise((resolve, reject) => {
    const sent = secure ? requestHttps(options) : requestHttp(options);
    sent.once('upgrade', (answer: IncomingMessage, socket: Duplex, head: Uint8Array) => {
      // The signal only applies to the request; the connection belongs to its new owner.
      socket.on('error', () => undefined);
      resolve({ status: 101, headers: answer.headers as UpgradeResponse['headers'], socket, head });
    });
    sent.once('response', (answer) =>
      resolve(responseOf(answer.statusCode ?? 0, answer.headers, answer) as UpgradeResponse),
    );
    sent.once('error', (error) => reject(request.signal?.aborted ? request.signal.reason : error));
    sent.end();
  });
}
