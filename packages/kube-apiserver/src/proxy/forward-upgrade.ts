/**
 * A request that asks for another protocol (SPDY, WebSocket), carried on with its connection: both ends are
 * joined once the target agreed, and whatever they speak passes unread.
 */
import net from 'node:net';
import type { Duplex } from 'node:stream';
import tls from 'node:tls';
import { StatusError } from '@coxswain/apimachinery';
import type { ApiRequest, ApiResponse } from '@coxswain/apiserver';
import type { Dial } from '../egress/dial.ts';
import { readAnswerHead } from './answer-head.ts';
import { dialErrorText } from '@coxswain/client/https/dial-error.ts';
import { dialMsMax } from './forward-http.ts';
import type { ForwardTarget } from './forwarder.ts';
import { requestHeaders, responseHeaders } from './forwarded-headers.ts';

/** @throws StatusError 500 when the target can't be reached or answers with neither an upgrade nor an error */
export async function forwardUpgrade(
  request: ApiRequest,
  target: ForwardTarget,
  tlsOptions: object,
  dial?: Dial,
): Promise<ApiResponse> {
  const port = target.port || (target.scheme === 'https' ? '443' : '80');
  const socket = await connect(target, port, tlsOptions, dial).catch((failure: unknown) => {
    throw internalFailure(`error dialing backend: ${dialErrorText(failure, target.host, port)}`);
  });
  socket.write(requestText(request, target, port));
  const { status, headers, rest } = await readAnswerHead(socket).catch((failure: Error) => {
    socket.destroy();
    throw internalFailure(failure.message);
  });
  if (status === 101) {
    const { connection = 'Upgrade', upgrade = '' } = headers;
    return {
      status,
      headers: { ...responseHeaders(headers), connection, upgrade },
      body: { kind: 'upgrade', accept: (client, sent) => join(client as Duplex, sent, socket, rest) },
    };
  }
  if (status < 400) {
    socket.destroy();
    throw internalFailure(`invalid upgrade response: status code ${status}`);
  }
  const bytes = await readRefusal(socket, rest, headers);
  return { status, headers: responseHeaders(headers), body: { kind: 'bytes', bytes } };
}

/** A status without a reason, as Go's plain errors get. */
const internalFailure = (text: string): StatusError => new StatusError(500, '', text);

async function connect(
  { scheme, host }: ForwardTarget,
  port: string,
  tlsOptions: object,
  dial: Dial | undefined,
): Promise<net.Socket> {
  const through = await dial?.(host, Number(port));
  if (through !== undefined && scheme === 'http') return through;
  return new Promise((resolve, reject) => {
    const place = { host, port: Number(port), ...(through && { socket: through }) };
    const socket =
      scheme === 'https'
        ? tls.connect({ ...tlsOptions, ...place, ALPNProtocols: ['http/1.1'] })
        : net.connect(place);
    socket.setTimeout(dialMsMax, () =>
      socket.destroy(Object.assign(new Error('timeout'), { code: 'ETIMEDOUT' })),
    );
    socket.once('error', reject);
    socket.once(scheme === 'https' ? 'secureConnect' : 'connect', () => {
      socket.setTimeout(0);
      socket.off('error', reject);
      resolve(socket);
    });
  });
}

function requestText(request: ApiRequest, target: ForwardTarget, port: string): string {
  const { host, path, query = request.incoming.query } = target;
  const lines = Object.entries(requestHeaders(request, true, target.extension?.user)).flatMap(
    ([name, value]) => [value].flat().map((text) => `${name}: ${text}`),
  );
  const address = `${net.isIPv6(host) ? `[${host}]` : host}:${port}`;
  const start = `${request.method} ${path}${query === '' ? '' : `?${query}`} HTTP/1.1`;
  return [start, `host: ${address}`, ...lines, '', ''].join('\r\n');
}

const refusalBytesMax = 1024 * 1024;
const refusalMsMax = 10_000;

/** The body of an error, up to its declared length or the end of the connection. */
async function readRefusal(
  socket: net.Socket,
  rest: Buffer,
  headers: Readonly<Record<string, string>>,
): Promise<Uint8Array> {
  const wanted = Math.min(Number(headers['content-length'] ?? refusalBytesMax), refusalBytesMax);
  let body = rest;
  socket.setTimeout(refusalMsMax, () => socket.destroy());
  try {
    if (body.length < wanted) {
      for await (const chunk of socket) {
        body = Buffer.concat([body, chunk as Buffer]);
        if (body.length >= wanted) break;
      }
    }
  } catch {
    // What has come is told.
  }
  socket.destroy();
  return body.subarray(0, wanted);
}

/** The end of either side ends the other. */
function join(client: Duplex, sent: Uint8Array, target: net.Socket, received: Buffer): void {
  const cut = () => {
    client.destroy();
    target.destroy();
  };
  client.on('error', cut).on('close', cut);
  target.on('error', cut).on('close', cut);
  if (sent.length > 0) target.write(sent);
  if (received.length > 0) client.write(received);
  client.pipe(target);
  target.pipe(client);
}
