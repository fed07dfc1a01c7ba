/**
 * An HTTPS proxy before an API server that does what networks, load balancers and servers do on a bad day: connections
 * break, go deaf or are refused, streams dry up, requests are answered with 410, 429 or 500, certificates change.
 */
import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import type { Transport, TransportResponse } from '@coxswain/client';
import type { Identity } from '../attack/certificate-authority.ts';

/** An answer given in the server's place. */
export interface Refusal {
  readonly status: 410 | 429 | 500;
  /** Only watches; any request when absent. */
  readonly watches?: boolean;
  readonly times: number;
}

export interface FaultProxy {
  readonly url: string;
  /** Connections break, and the other end is told. */
  drop(): void;
  /** What is connected hears nothing any more and is not told; who connects anew is served. */
  goDeaf(): void;
  /** Answers under way dry up, while their connections live and answer pings. */
  stall(): void;
  /** While it lasts, connections break and none are taken. */
  refuse(isRefusing: boolean): void;
  answerWith(refusal: Refusal): void;
  /** Watches are told that their past is gone, by an event. */
  expireWatches(): void;
  /** Another certificate; connections break, as when a server is started again. */
  present(identity: Identity): void;
  /** How many requests were passed on. */
  readonly passed: number;
  close(): Promise<void>;
}

export interface FaultProxyOptions {
  readonly to: Transport;
  readonly identity: Identity;
  /** Whether HTTP/2 is spoken, too. */
  readonly http2: boolean;
  /** Of clients, asked for and not judged. */
  readonly onClientCertificate?: (commonName: string) => void;
  /** Sees each request; a status is the answer to it. */
  readonly judge?: (request: Http2ServerRequest) => number | undefined;
}

const gone = {
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Failure',
  reason: 'Expired',
  code: 410,
};

export async function startFaultProxy(options: FaultProxyOptions): Promise<FaultProxy> {
  const refusals: { -readonly [K in keyof Refusal]: Refusal[K] }[] = [];
  const watches = new Set<Http2ServerResponse>();
  const stalled = new WeakSet<Http2ServerResponse>();
  const answering = new Set<Http2ServerResponse>();
  let passed = 0;

  const refusalOf = (isWatch: boolean) => {
    const refusal = refusals.find(({ watches: only, times }) => times > 0 && (isWatch || only !== true));
    if (refusal !== undefined) refusal.times--;
    return refusal;
  };
  const serve = async (request: Http2ServerRequest, response: Http2ServerResponse): Promise<void> => {
    const isWatch = request.url.includes('watch=true');
    const refusal = refusalOf(isWatch);
    const status = refusal?.status ?? options.judge?.(request);
    if (status !== undefined) return refuseWith(response, status);
    passed++;
    const ended = new AbortController();
    response.once('close', () => ended.abort());
    const answer = await options.to.send(await messageOf(request, ended.signal));
    answering.add(response);
    if (isWatch) watches.add(response);
    await carry(answer, response, () => stalled.has(response));
    answering.delete(response);
    watches.delete(response);
  };
  const inner = createSecureServer(
    {
      ...options.identity,
      allowHTTP1: true,
      ALPNProtocols: options.http2 ? ['h2', 'http/1.1'] : ['http/1.1'],
      requestCert: true,
      rejectUnauthorized: false,
    },
    (request, response) => void serve(request, response).catch(() => response.stream?.destroy()),
  );
  inner.on('secureConnection', (socket) => {
    const name = socket.getPeerCertificate().subject?.CN;
    if (typeof name === 'string') options.onClientCertificate?.(name);
  });
  const line = await frontOf(await listen(inner));
  return {
    url: `https://127.0.0.1:${line.port}`,
    drop: line.drop,
    goDeaf: line.goDeaf,
    stall: () => answering.forEach((response) => stalled.add(response)),
    refuse: line.refuse,
    answerWith: (refusal) => void refusals.push({ ...refusal }),
    expireWatches() {
      for (const response of watches) {
        stalled.add(response);
        response.end(`${JSON.stringify({ type: 'ERROR', object: gone })}\n`);
      }
    },
    present(identity) {
      inner.setSecureContext(identity);
      line.drop();
    },
    get passed() {
      return passed;
    },
    async close() {
      line.drop();
      await Promise.all([line.close(), closed(inner as unknown as Server)]);
    },
  };
}

const reasons: Readonly<Record<number, string>> = {
  401: 'Unauthorized',
  410: 'Expired',
  429: 'TooManyRequests',
  500: 'InternalError',
};

function refuseWith(response: Http2ServerResponse, status: number): void {
  const reason = reasons[status] ?? '';
  response.writeHead(status, {
    'content-type': 'application/json',
    ...(status === 429 ? { 'retry-after': '1' } : {}),
  });
  response.end(JSON.stringify({ ...gone, code: status, reason, message: 'the proxy says so' }));
}

async function messageOf(request: Http2ServerRequest, signal: AbortSignal) {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  const { accept, 'content-type': type } = request.headers;
  return {
    method: request.method,
    path: request.url,
    headers: { ...(accept ? { accept } : {}), ...(type ? { 'content-type': type } : {}) },
    ...(chunks.length > 0 ? { body: Buffer.concat(chunks) } : {}),
    signal,
  };
}

async function carry(
  answer: TransportResponse,
  response: Http2ServerResponse,
  isStalled: () => boolean,
): Promise<void> {
  response.writeHead(answer.status, { 'content-type': String(answer.headers['content-type']) });
  // HTTP/1.1 keeps the head until there is a body to go with it.
  (response as unknown as { flushHeaders?: () => void }).flushHeaders?.();
  for await (const chunk of answer.stream()) if (!isStalled()) response.write(Buffer.from(chunk));
  if (!isStalled()) response.end();
}

/** The TCP side. */
async function frontOf(innerPort: number) {
  const sockets = new Set<Socket>();
  const deaf = new WeakSet<Socket>();
  let isRefusing = false;
  const front = createServer((near) => {
    if (isRefusing) return void near.destroy();
    const far = connect(innerPort, '127.0.0.1');
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on('error', () => undefined);
      from.on('data', (bytes: Buffer) => {
        if (!deaf.has(from) && !to.destroyed) to.write(bytes);
      });
      from.once('close', () => {
        sockets.delete(from);
        // Who is deaf is not told that the other end has gone.
        if (!deaf.has(from)) to.destroy();
      });
    }
  });
  const drop = () => sockets.forEach((socket) => socket.destroy());
  return {
    port: await listen(front),
    drop,
    goDeaf: () => sockets.forEach((socket) => deaf.add(socket)),
    refuse(refusing: boolean) {
      isRefusing = refusing;
      if (refusing) drop();
    },
    close: () => closed(front),
  };
}

async function listen(server: { listen: Server['listen']; address: Server['address'] }): Promise<number> {
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

const closed = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    (server as unknown as { closeAllConnections?: () => void }).closeAllConnections?.();
  });
