/**
 * Forwards a request for another protocol (SPDY, WebSocket) with its connection: once the target has agreed, both
 * connections are joined and bytes pass unread.
 */
import { detach } from '@coxswain/apimachinery/detach.ts';
import net from 'node:net';
import type { Duplex } from 'node:stream';
import { joinSockets, type UpgradedConnection } from '@coxswain/streaming/join-sockets.ts';
import type { SpdyResponse } from '@coxswain/streaming/spdy/ask-for-spdy.ts';
import { spdyName, versionHeader } from '@coxswain/streaming/upgrade-reply.ts';
import { runStep, StatusError, type StepObserver } from '@coxswain/apimachinery';
import type { ApiRequest, ApiResponse } from '@coxswain/apiserver';
import type { Dial } from '../egress/dial.ts';
import { readResponseHead, type ResponseHead } from '../response-head.ts';
import { connectTls } from '@coxswain/client/https/connect-tls.ts';
import { dialErrorText } from '@coxswain/client/https/dial-error.ts';
import { dialMsMax } from './forward-http.ts';
import type { ForwardTarget } from './forwarder.ts';
import { requestHeaders, responseHeaders } from './forwarded-headers.ts';

/** @throws StatusError 500 when the target is unreachable or responds with neither an upgrade nor an error */
export async function forwardUpgrade(
  request: ApiRequest,
  target: ForwardTarget,
  tlsOptions: object,
  dial?: Dial,
): Promise<ApiResponse> {
  const asked = { method: request.method, headers: requestHeaders(request, true, target.extension?.user) };
  const { status, headers, socket, rest } = await ask(
    { ...asked, query: target.query ?? request.incoming.query },
    target,
    tlsOptions,
    dial,
  ).catch(toInternalFailure);
  if (status === 101) {
    const { connection = 'Upgrade', upgrade = '' } = headers;
    return {
      status,
      headers: { ...responseHeaders(headers), connection, upgrade },
      body: {
        kind: 'upgrade',
        accept: (client, sent) =>
          detach(carried(request.observer, { socket: client as Duplex, head: sent }, { socket, head: rest })),
      },
    };
  }
  if (status < 400) {
    socket.destroy();
    throw internalFailure(`invalid upgrade response: status code ${status}`);
  }
  const bytes = await readRefusal(socket, rest, headers);
  return { status, headers: responseHeaders(headers), body: { kind: 'bytes', bytes } };
}

/** A step that lasts from joining both connections to their end, with the number of bytes. */
function carried(
  observer: StepObserver | undefined,
  client: UpgradedConnection,
  server: { readonly socket: net.Socket; readonly head: Uint8Array },
): Promise<void> {
  return runStep(observer, 'stream', async () => {
    joinSockets(client, server);
    const { socket } = server;
    if (!socket.closed) await new Promise((resolve) => socket.once('close', resolve));
    observer?.note?.({ bytesToTarget: socket.bytesWritten, bytesFromTarget: socket.bytesRead });
  });
}

/** Forwards a client's WebSocket request as SPDY. @throws Error when the target is unreachable */
export async function askForSpdy(
  request: ApiRequest,
  target: ForwardTarget,
  protocols: readonly string[],
  tlsOptions: object,
  dial?: Dial,
): Promise<SpdyResponse> {
  const kept = Object.entries(requestHeaders(request, false)).filter(
    ([name]) => !name.startsWith('sec-websocket-') && name !== 'content-length',
  );
  const headers = {
    ...Object.fromEntries(kept),
    connection: 'Upgrade',
    upgrade: spdyName,
    [versionHeader]: protocols,
    'content-length': '0',
  };
  const answer = await ask({ method: 'POST', headers, query: target.query ?? '' }, target, tlsOptions, dial);
  const { status, socket, rest } = answer;
  if (status === 101 && speaksSpdy(answer.headers))
    return { socket, head: rest, protocol: answer.headers[versionHeader] ?? '' };
  const text = Buffer.from(await readRefusal(socket, rest, answer.headers)).toString();
  return { status, headers: responseHeaders(answer.headers), text };
}

const speaksSpdy = ({ connection = '', upgrade = '' }: ResponseHead['headers']): boolean =>
  /upgrade/i.test(connection) && upgrade.toLowerCase().includes(spdyName.toLowerCase());

interface Asked {
  readonly method: string;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly query: string;
}

/** Opens a connection and sends the request. @throws Error with the network's or the target's failure */
async function ask(
  asked: Asked,
  target: ForwardTarget,
  tlsOptions: object,
  dial: Dial | undefined,
): Promise<ResponseHead & { readonly socket: net.Socket }> {
  const port = target.port || (target.scheme === 'https' ? '443' : '80');
  const socket = await connect(target, port, tlsOptions, dial).catch((failure: unknown) => {
    throw new DialFailure(dialErrorText(failure, target.host, port));
  });
  socket.write(requestText(asked, target, port));
  try {
    return { ...(await readResponseHead(socket)), socket };
  } catch (failure) {
    socket.destroy();
    throw failure;
  }
}

class DialFailure extends Error {}

export function toInternalFailure(failure: Error): never {
  const { message } = failure;
  throw internalFailure(failure instanceof DialFailure ? `error dialing backend: ${message}` : message);
}

/** A status without a reason, like Go's plain errors. */
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
        ? connectTls({ ...tlsOptions, ...place, ALPNProtocols: ['http/1.1'] })
        : net.connect(place);
    socket.setTimeout(dialMsMax, () =>
      socket.destroy(Object.assign(new Error('timeout'), { code: 'ETIMEDOUT' })),
    );
    socket.once('error', reject);
    socket.once(scheme === 'https' ? 'secureConnect' : 'connect', () => {
      if (socket.destroyed) return;
      socket.setTimeout(0);
      socket.off('error', reject);
      resolve(socket);
    });
  });
}

function requestText({ method, headers, query }: Asked, { host, path }: ForwardTarget, port: string): string {
  const lines = Object.entries(headers).flatMap(([name, value]) =>
    [value].flat().map((text) => `${name}: ${text}`),
  );
  const address = `${net.isIPv6(host) ? `[${host}]` : host}:${port}`;
  const start = `${method} ${path}${query === '' ? '' : `?${query}`} HTTP/1.1`;
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
    // What has arrived is reported.
  }
  socket.destroy();
  return body.subarray(0, wanted);
}
