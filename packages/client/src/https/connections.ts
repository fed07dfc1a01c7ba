/**
 * The connections of one transport: a shared HTTP/2 session, or HTTP/1.1 sockets if the server doesn't support that.
 */

import type { ClientHttp2Session } from 'node:http2';
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { isIP, type Socket } from 'node:net';
import { checkServerIdentity, type ConnectionOptions, type TLSSocket } from 'node:tls';
import type { HttpTransportOptions } from './http-transport-options.ts';
import type { ClientCertificate } from '../kubeconfig/exec-credential.ts';
import { connectTls, judging } from './connect-tls.ts';
import { environmentProxy } from './environment-proxy.ts';
import { tunnelled } from './tunnelled-agent.ts';
import { tunnelThrough } from './proxy-tunnel.ts';
import { trusting } from './trusted-authorities.ts';

/** After this long without traffic a session is pinged, and has this long to answer (client-go's values). */
const pingAfterMs = 30_000;
const pingTimeoutMs = 15_000;
export const handshakeTimeoutMs = 10_000;
/** The maximum number of sockets to a server without HTTP/2. */
const http1SocketsMax = 64;

export class Connections {
  readonly url: URL;
  readonly agent: HttpAgent | HttpsAgent;
  readonly #options: HttpTransportOptions;
  readonly #proxyUrl: string | undefined;
  #session: Promise<ClientHttp2Session | undefined> | undefined;
  /** The client certificate of the session. */
  #sessionCertificate: ClientCertificate | undefined;
  #closed = false;

  constructor(url: URL, options: HttpTransportOptions) {
    this.url = url;
    this.#options = options;
    const shared = { keepAlive: true, maxSockets: http1SocketsMax };
    this.#proxyUrl = options.proxyUrl ?? environmentProxy(url, process.env);
    const tunnel = options.dial || this.#proxyUrl ? () => this.tunnel() : undefined;
    this.agent =
      url.protocol === 'https:'
        ? tunnelled(judging(new HttpsAgent(shared)), tunnel)
        : tunnelled(new HttpAgent(shared), tunnel);
  }

  /**
   * Returns the HTTP/2 session; undefined if the server only supports HTTP/1.1. @throws Error if it does not respond
   */
  async session(): Promise<ClientHttp2Session | undefined> {
    if (this.#closed) throw new Error('the transport is closed');
    if (this.url.protocol !== 'https:' || this.#options.protocol === 'http/1.1') return undefined;
    const certificate = await this.#options.credentials?.certificate();
    // A new certificate requires a new connection; requests in progress may finish on the old one.
    if (this.#session !== undefined && !isSame(certificate, this.#sessionCertificate)) this.#retire();
    if (this.#session === undefined) {
      const opening = this.#open();
      this.#session = opening;
      this.#sessionCertificate = certificate;
      opening.catch(() => this.#forget(opening));
    }
    return this.#session;
  }

  /** Called if this session was silent for too long: later requests get a new one, and it is pinged. */
  distrust(session: ClientHttp2Session): void {
    this.#forget(undefined, session);
    checkAlive(session);
  }

  /** Like {@link distrust} for HTTP/1.1: idle connections may be dead, too. */
  distrustIdle(): void {
    for (const sockets of Object.values(this.agent.freeSockets)) {
      for (const socket of sockets ?? []) socket.destroy();
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.agent.destroy();
    const session = await this.#session?.catch(() => undefined);
    session?.destroy();
  }

  async tlsOptions(): Promise<ConnectionOptions> {
    const certificate = await this.#options.credentials?.certificate();
    const name = this.#options.serverName ?? this.#hostname;
    return {
      ...(isIP(name) ? {} : { servername: name }),
      // Node would compare with the address of the connection, and behind a proxy with none.
      checkServerIdentity: (_host, found) => checkServerIdentity(name, found),
      // Without verification, the authorities need not be loaded.
      ...(this.#options.insecure ? {} : trusting(authorityNow(this.#options.certificateAuthority))),
      ...(certificate === undefined ? {} : { cert: certificate.certificate, key: certificate.key }),
      rejectUnauthorized: !this.#options.insecure,
    };
  }

  /** Opens a connection through a proxy, if there is one. */
  async tunnel(): Promise<Socket | undefined> {
    const { dial } = this.#options;
    const port = Number(this.url.port || (this.url.protocol === 'https:' ? 443 : 80));
    if (dial !== undefined) return dial(this.#hostname, port);
    return this.#proxyUrl ? tunnelThrough(this.#proxyUrl, this.#hostname, port) : undefined;
  }

  get #hostname(): string {
    return this.url.hostname.replace(/^\[|\]$/g, '');
  }

  async #open(): Promise<ClientHttp2Session | undefined> {
    const socket = await this.#connect();
    if (socket.alpnProtocol !== 'h2') {
      socket.destroy();
      return undefined;
    }
    // Not loaded by clients that only use HTTP/1.1.
    const { connect: connectHttp2 } = await import('node:http2');
    const session = connectHttp2(this.url.origin, { createConnection: () => socket });
    const forget = () => this.#forget(undefined, session);
    session.once('close', forget);
    session.once('goaway', forget);
    session.on('error', forget);
    session.setTimeout(pingAfterMs, () => checkAlive(session));
    // Streams keep the process alive; an idle session does not.
    session.unref();
    return session;
  }

  async #connect(): Promise<TLSSocket> {
    const base = await this.tlsOptions();
    const host = this.#hostname;
    const port = Number(this.url.port || 443);
    const socket = await this.tunnel();
    const through = socket === undefined ? { host, port } : { socket };
    return this.#handshake({ ...base, ...through, ALPNProtocols: ['h2', 'http/1.1'] }).catch(
      async (failure) => {
        throw await explained(failure, await this.#options.credentials?.certificate());
      },
    );
  }

  #handshake(options: ConnectionOptions): Promise<TLSSocket> {
    return new Promise((resolve, reject) => {
      const socket = connectTls(options);
      const timer = setTimeout(
        () => socket.destroy(new Error('net/http: TLS handshake timeout')),
        handshakeTimeoutMs,
      );
      socket.once('secureConnect', () => {
        clearTimeout(timer);
        if (socket.destroyed) return;
        socket.removeListener('error', reject);
        resolve(socket);
      });
      socket.once('error', (error) => {
        clearTimeout(timer);
        reject(error);
      });
    });
  }

  #retire(): void {
    const retired = this.#session;
    this.#session = undefined;
    retired?.then(
      (session) => session?.close(),
      () => undefined,
    );
  }

  #forget(opening: Promise<unknown> | undefined, session?: ClientHttp2Session): void {
    const current = this.#session;
    if (current === undefined) return;
    if (opening === current) this.#session = undefined;
    else
      // One that fails to open is forgotten by whoever opened it.
      current.then(
        (held) => held === session && this.#session === current && (this.#session = undefined),
        () => undefined,
      );
  }
}

/** Explains which certificate or key OpenSSL can't read. */
async function explained(failure: Error, certificate: ClientCertificate | undefined): Promise<Error> {
  const { code = '' } = failure as NodeJS.ErrnoException;
  if (certificate === undefined || !code.startsWith('ERR_OSSL')) return failure;
  const { keyPairProblem } = await import('../kubeconfig/key-pair.ts');
  const problem = keyPairProblem(certificate.certificate, certificate.key);
  return problem === undefined ? failure : new Error(problem, { cause: failure });
}

const isSame = (one: ClientCertificate | undefined, other: ClientCertificate | undefined): boolean =>
  one?.certificate === other?.certificate && one?.key === other?.key;

const authorityNow = (authority: HttpTransportOptions['certificateAuthority']): string | undefined =>
  typeof authority === 'function' ? authority() : authority;

function checkAlive(session: ClientHttp2Session): void {
  if (session.closed || session.destroyed) return;
  const timer = setTimeout(() => session.destroy(new Error('http2: client connection lost')), pingTimeoutMs);
  timer.unref();
  session.ping(() => clearTimeout(timer));
}
