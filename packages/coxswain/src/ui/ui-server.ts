/**
 * Serves the page of `coxswain ui`, and forwards its requests to the API server with the rights of one kubeconfig. It
 * uses plain HTTP on a loopback address: browsers would not trust our certificate, and other machines cannot reach it.
 * Every request passes the checks of `guard.ts`; without a session, the only response is how to get one.
 */

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import type { Transport } from '@coxswain/client';
import { clusterPrefix, guard, hostsOf, streamsPath } from './guard.ts';
import { pageFiles, recordingPath, type PageFiles } from './page-files.ts';
import { proxyRequest } from './proxy-request.ts';
import { proxyUpgrade } from './proxy-upgrade.ts';
import { pagePolicy, refuse, securityHeaders } from './answers.ts';
import { extrasOf, type Extras } from './extras.ts';
import { Sessions } from './sessions.ts';
import { answerWithSignIn } from './sign-in-page.ts';
import { serveStreams } from './streams.ts';

export interface UiPlace {
  readonly port: number;
  /** Whether to use any other port if this one is taken, for example by another cluster. */
  readonly orAnother?: boolean;
}

export interface UiOptions extends UiPlace {
  /** The transport to the cluster, with the rights of the user of the page. It is closed with the server. */
  readonly transport: Transport;
  /** What the page shows about the cluster before its first request. */
  readonly facts: UiFacts;
  /** A recording for the page to open, as JSON. */
  readonly recording?: string;
}

export interface UiFacts {
  /** `coxswain`, or the name of the context. */
  readonly cluster: string;
  /** The namespace of the context. */
  readonly namespace: string;
}

export interface UiServer {
  /** `http://127.0.0.1:6440` */
  readonly address: string;
  /** Returns a link that opens the page in one browser, once. */
  link(): string;
  close(): Promise<void>;
}

/** The maximum number of connections of browsers, including streams; a page uses two or three. */
const connectionsMax = 256;

/** @throws Error if the port cannot be listened on, or the page was not built */
export async function serveUi(options: UiOptions): Promise<UiServer> {
  try {
    return await servedUi(options, pageFiles());
  } catch (failure) {
    await options.transport.close();
    throw failure;
  }
}

async function servedUi(options: UiOptions, files: PageFiles): Promise<UiServer> {
  const sessions = new Sessions();
  const server = createServer({ maxHeaderSize: 32 * 1024, requestTimeout: 60_000 });
  server.maxConnections = connectionsMax;
  const port = await listenNear(server, options);
  const site = new Site(options, sessions, files, port);
  server.on('request', (request, response) => void site.answer(request, response));
  server.on('upgrade', (request, socket, head) => void site.upgrade(request, socket, head));
  const address = `http://127.0.0.1:${port}`;
  return {
    address,
    link: () =>
      `${address}${options.recording === undefined ? '/' : recordingPath}?token=${sessions.newToken()}`,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      site.close();
      server.closeAllConnections();
      await closed;
      await options.transport.close();
    },
  };
}

async function listenNear(server: Server, { port, orAnother = false }: UiPlace): Promise<number> {
  try {
    return await listen(server, port);
  } catch (failure) {
    if (!orAnother || (failure as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw failure;
    return listen(server, 0);
  }
}

const listen = (server: Server, port: number): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host: '127.0.0.1', port }, () => {
      server.off('error', reject);
      resolve((server.address() as AddressInfo).port);
    });
  });

class Site {
  readonly #options: UiOptions;
  readonly #sessions: Sessions;
  readonly #files: PageFiles;
  readonly #hosts: ReadonlySet<string>;
  readonly #cookie: string;
  /** Connections that were upgraded from HTTP. */
  readonly #sockets = new Set<Duplex>();

  constructor(options: UiOptions, sessions: Sessions, files: PageFiles, port: number) {
    this.#options = options;
    this.#sessions = sessions;
    this.#files = files;
    this.#hosts = hostsOf(port);
    // Cookies are shared by all ports of a host.
    this.#cookie = `coxswain-ui-${port}`;
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      await this.#answer(request, response);
    } catch (failure) {
      if (response.headersSent) response.destroy();
      else refuse(response, 502, messageOf(failure));
    }
  }

  async upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    socket.on('error', () => socket.destroy());
    const refusal = this.#refusal(request, true);
    if (refusal !== undefined)
      return void socket.end(`HTTP/1.1 ${refusal.status} ${refusal.text}\r\nconnection: close\r\n\r\n`);
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
    const { transport } = this.#options;
    if (request.url === streamsPath) serveStreams(transport, request, socket, head);
    else await proxyUpgrade(transport, request, socket, head);
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    for (const [name, value] of securityHeaders(pagePolicy(request.headers.host ?? '')))
      response.setHeader(name, value);
    const url = new URL(request.url ?? '/', 'http://page');
    const isSignIn = this.#signsIn(request, response, url);
    const refusal = isSignIn ? undefined : this.#refusal(request, false);
    if (refusal?.status === 401 && request.headers['sec-fetch-dest'] === 'document')
      return answerWithSignIn(response);
    if (refusal !== undefined) return refuse(response, refusal.status, refusal.text);
    if (url.pathname.startsWith(clusterPrefix))
      return proxyRequest(this.#options.transport, request, response);
    if (url.pathname === '/facts.json') return json(response, JSON.stringify(await this.#facts()));
    if (url.pathname === '/recording.json')
      return this.#options.recording === undefined
        ? refuse(response, 404, 'There is no recording')
        : json(response, this.#options.recording);
    this.#files.answer(url.pathname, request, response);
  }

  /** Returns whether the request has an unused token; the browser then gets a session. */
  #signsIn(request: IncomingMessage, response: ServerResponse, url: URL): boolean {
    const token = url.searchParams.get('token');
    if (token === null || request.method !== 'GET' || !this.#hosts.has(request.headers.host ?? ''))
      return false;
    // A browser that merely prefetches the page must not use up the token.
    if (request.headers['sec-purpose'] !== undefined) return false;
    const session = this.#sessions.begin(token);
    if (session === undefined) return false;
    response.setHeader('set-cookie', `${this.#cookie}=${session}; Path=/; HttpOnly; SameSite=Strict`);
    return true;
  }

  #refusal(request: IncomingMessage, isUpgrade: boolean) {
    return guard(
      { method: request.method ?? '', path: request.url ?? '', headers: request.headers, isUpgrade },
      this.#hosts,
      (cookies) => this.#sessions.has(cookies.get(this.#cookie) ?? ''),
    );
  }

  async #facts(): Promise<UiFacts & Extras & { readonly hasRecording: boolean }> {
    const { facts, recording, transport } = this.#options;
    return { ...facts, ...(await extrasOf(transport)), hasRecording: recording !== undefined };
  }
}

function json(response: ServerResponse, text: string): void {
  response.setHeader('content-type', 'application/json');
  response.end(text);
}
