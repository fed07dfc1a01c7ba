/** HTTPS in front of one handler, with HTTP/2 by ALPN or HTTP/1.1. */
import net, { isIPv4, type AddressInfo, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import tls, { type SecureContext, type Server } from 'node:tls';
import { getSystemErrorMap } from 'node:util';
import { systemClock, type Clock, type Timer } from '@coxswain/apimachinery';
import type { ServerConnection } from '@coxswain/http2';
import type { Http1Connection } from './http1/http1-connection.ts';
import { lookAfterHttp1, openHttp1 } from './http1/http1-serving.ts';
import { lookAfterHttp2, openHttp2 } from './http2-serving.ts';
import type { SecureServingOptions } from './serving-options.ts';
import { AddressCertificates } from './tls/address-certificates.ts';
import { takeTurnsInHandshakes } from './tls/handshake-turns.ts';
import { contextOptions, NamedContexts, type TlsMaterial } from './tls/serving-tls.ts';
import { Handshakes, handshakeMsNever } from './tls/handshakes.ts';
import { handshakeMsMax, keepAliveProbeMs, lookMs } from './transport-limits.ts';

export type { SecureServingOptions, ServeRequest } from './serving-options.ts';

export interface SecureServer {
  readonly address: AddressInfo;
  /**
   * Replaces the TLS settings of new connections; open ones continue.
   * @throws Error for a certificate that doesn't match its key; nothing has changed then
   */
  exchangeTls(material: TlsMaterial): void;
  /** Stops listening and tells clients to reconnect elsewhere; requests in progress continue. */
  stopListening(): void;
  /** Resolves when the last connection is closed; after `graceMs` the remaining ones are destroyed. */
  close(graceMs: number): Promise<void>;
}

/** @throws Error with a one-line message for an address that cannot be listened on; its cause is the system's error */
export function serveSecurely(options: SecureServingOptions): Promise<SecureServer> {
  const contexts = new NamedContexts(options, options);
  const hasNamed = (options.named?.length ?? 0) > 0;
  const server = tls.createServer({
    ...contextOptions(options, options),
    requestCert: options.clientCa !== undefined,
    // With an SNICallback, Node continues the handshake outside of its slice.
    ...(hasNamed && {
      SNICallback: (name: string, done: (failure: null, context?: SecureContext) => void) =>
        done(null, contexts.find(name) ?? addresses.contextForNames()),
    }),
    rejectUnauthorized: false,
    ALPNProtocols: options.servesHttp2 === false ? ['http/1.1'] : ['h2', 'http/1.1'],
    handshakeTimeout: handshakeMsNever,
    keepAlive: true,
    keepAliveInitialDelay: keepAliveProbeMs,
  });
  takeTurnsInHandshakes(server, options.clock ?? systemClock);
  const addresses = new AddressCertificates(server, contexts, options, options);
  const exchangeTls = (material: TlsMaterial) => {
    addresses.exchange(material);
    contexts.exchange(material);
  };
  const served: Served = { http1: new Set(), http2: new Set(), sockets: new Set(), exchangeTls };
  watchConnections(server, served, options);
  return listen(server, options, served).catch((failure: NodeJS.ErrnoException) => {
    throw listenError(options.host, options.port, failure);
  });
}

/** A one-line error for an address that cannot be listened on. */
export function listenError(host: string, port: number, failure: NodeJS.ErrnoException): Error {
  const reason =
    failure.errno === undefined
      ? failure.message
      : (getSystemErrorMap().get(failure.errno)?.[1] ?? failure.message);
  return new Error(`failed to listen on ${host}:${port}: ${reason}`, { cause: failure });
}

function watchConnections(
  server: Server,
  { http1, http2, sockets }: Served,
  options: SecureServingOptions,
): void {
  const { log } = options;
  const handshakeFailed = ({ remoteAddress, remotePort }: Socket, reason: string) =>
    log?.(`http: TLS handshake error from ${remoteAddress}:${remotePort}: ${reason}`);
  const handshakes = new Handshakes(server, (socket) => void handshakeFailed(socket, 'i/o timeout'));
  server.on('tlsClientError', (failure, socket) => {
    const isPlain = (failure as NodeJS.ErrnoException).code === 'ERR_SSL_HTTP_REQUEST';
    // A connection that was closed for its slowness has already been logged.
    if (socket.remoteAddress !== undefined) handshakeFailed(socket, isPlain ? plainRequest : failure.message);
    if (isPlain) handshakes.below(socket)?.end(answerToPlain);
    else socket.destroy();
  });
  server.on('secureConnection', (socket) => {
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.on('error', ignore);
    socket.on('close', () => sockets.delete(socket));
    if (socket.alpnProtocol === 'h2') openHttp2(socket, options, http2);
    else openHttp1(socket, options, http1);
  });
  const { clock = systemClock } = options;
  lookWhileListening(server, clock, () => {
    handshakes.look(handshakeMsMax / lookMs);
    lookAfterHttp1(http1);
    lookAfterHttp2(http2, clock.monotonic());
  });
}

const plainRequest = 'client sent an HTTP request to an HTTPS server';
const answerToPlain = 'HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n';

/** One timer for all connections, since many are short-lived. */
function lookWhileListening(server: Server, clock: Clock, lookAround: () => void): void {
  let timer: Timer | undefined;
  const look = () => {
    lookAround();
    timer = clock.after(lookMs, look, { idle: true });
  };
  server.once('listening', look);
  server.once('close', () => timer?.cancel());
}

interface Served extends Pick<SecureServer, 'exchangeTls'> {
  readonly http1: Set<Http1Connection>;
  readonly http2: Set<ServerConnection>;
  readonly sockets: Set<Duplex>;
}

function listen(
  server: Server,
  options: SecureServingOptions,
  { http1, http2, sockets, exchangeTls }: Served,
): Promise<SecureServer> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    const { host, port, sharesPort = false } = options;
    const place = { port, host, reusePort: sharesPort };
    // An address needs no lookup, which takes some milliseconds the first time.
    server.listen(
      isIPv4(host) && net.BoundSocket !== undefined ? { handle: new net.BoundSocket(place) } : place,
      () => {
        server.off('error', reject);
        server.on('error', (failure) => options.log?.(`listener: ${failure.message}`));
        const closed = new Promise<void>((done) => server.once('close', () => done()));
        const stopListening = () => {
          if (server.listening) server.close();
          for (const connection of [...http1, ...http2]) connection.shutdown();
        };
        resolve({
          address: server.address() as AddressInfo,
          exchangeTls,
          stopListening,
          async close(graceMs) {
            stopListening();
            const timer = (options.clock ?? systemClock).after(graceMs, () => {
              for (const socket of sockets) socket.destroy();
            });
            await closed;
            timer.cancel();
          },
        });
      },
    );
  });
}

function ignore(): void {
  // The 'close' event that follows handles it.
}
