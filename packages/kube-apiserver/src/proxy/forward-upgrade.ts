/**
 * A request that asks for another protocol (SPDY, WebSocket), carried on with its connection: both ends are
 * joined once the target agreed, and whatever they speak passes unread.
 */
import net from 'node:net';
import type { Duplex } from 'node:stream';
import tls from 'node:tls';
import { StatusError } from '@coxswain/apimachinery';
import type { ApiRequest, ApiResponse } from '@coxswain/apiserver';
import { dialErrorText } from './dial-error.ts';
import { dialMsMax } from './forward-http.ts';
import type { ForwardTarget } from './forwarder.ts';
import { requestHeaders, responseHeaders } from './forwarded-headers.ts';

/** @throws StatusError 500 when the target can't be reached or answers with neither an upgrade nor an error */
export async function forwardUpgrade(
  request: ApiRequest,
  target: ForwardTarget,
  tlsOptions: object,
): Promise<ApiResponse> {
  const port = target.port || (target.scheme === 'https' ? '443' : '80');
  const socket = await dial(target, port, tlsOptions).catch((failure: unknown) => {
    throw internalFailure(`error dialing backend: ${dialErrorText(failure, target.host, port)}`);
  });
  socket.write(requestText(request, target, port));
  const { head, rest } = await readHead(socket).catch((failure: Error) => {
    socket.destroy();
    throw internalFailure(failure.message);
  });
  const { status, headers } = parseHead(head);
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

function dial({ scheme, host }: ForwardTarget, port: string, tlsOptions: object): Promise<net.Socket> {
  return new Promise((resolve, reject) => {
    const place = { host, port: Number(port) };
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

/** A head that is longer than this is no answer of a kubelet. */
const headBytesMax = 64 * 1024;

function readHead(socket: net.Socket): Promise<{ head: string; rest: Buffer }> {
  return new Promise((resolve, reject) => {
    let seen = Buffer.alloc(0);
    const stop = () => socket.off('data', take).off('end', gone).off('error', reject);
    const gone = () => reject(new Error('unexpected EOF'));
    const take = (chunk: Buffer) => {
      seen = Buffer.concat([seen, chunk]);
      const end = seen.indexOf('\r\n\r\n');
      if (end < 0 && seen.length <= headBytesMax) return;
      stop();
      socket.pause();
      if (end < 0) reject(new Error('the head of the answer is too long'));
      else resolve({ head: seen.toString('latin1', 0, end), rest: seen.subarray(end + 4) });
    };
    socket.on('data', take).once('end', gone).once('error', reject);
  });
}

function parseHead(head: string): { status: number; headers: Record<string, string> } {
  const [start = '', ...lines] = head.split('\r\n');
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const colon = line.indexOf(':');
    if (colon > 0) headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 1).trim();
  }
  return { status: Number(start.split(' ')[1]), headers };
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
