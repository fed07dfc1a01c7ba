/** HTTPS with HTTP/2 by ALPN and HTTP/1.1 for who asks for it, in front of one handler. */
import type { Server } from 'node:https';
import net, { isIPv4 } from 'node:net';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { SecureContext } from 'node:tls';
import { systemClock } from '@coxswain/apimachinery';
import type { ServerConnection } from '@coxswain/http2';
import { serveHttp1 } from './http1-serving.ts';
import { serveHttp2 } from './http2-serving.ts';
import { https } from './node-http.ts';
import type { SecureServingOptions } from './serving-options.ts';
import { AddressCertificates } from './tls/address-certificates.ts';
import { contextOptions, NamedContexts } from './tls/serving-tls.ts';
import type { TlsMaterial } from './tls/serving-tls.ts';
import {
  handshakeMsMax,
  headerBytesMax,
  headersMsMax,
  idleMsMax,
  keepAliveProbeMs,
} from './transport-limits.ts';

export type { SecureServingOptions, ServeRequest } from './serving-options.ts';

export interface SecureServer {
  readonly address: AddressInfo;
  /**
   * New connections get these from now on; those that are open go on.
   * @throws Error for a certificate that doesn't fit its key; nothing has changed then
   */
  exchangeTls(material: TlsMaterial): void;
  /** Stops listening and tells clients to go elsewhere; what is under way goes on. */
  stopListening(): void;
  /** Resolves when the last connection is closed; after `graceMs` the rest is cut off. */
  close(graceMs: number): Promise<void>;
}

/** @throws the listener's error, such as EADDRINUSE */
export function serveSecurely(options: SecureServingOptions): Promise<SecureServer> {
  const contexts = new NamedContexts(options, options);
  const server = https.createServer({
    ...contextOptions(options, options),
    requestCert: options.clientCa !== undefined,
    SNICallback: (name: string, done: (failure: null, context?: SecureContext) => void) =>
      done(null, contexts.find(name) ?? addresses.contextForNames()),
    rejectUnauthorized: false,
    ALPNProtocols: options.servesHttp2 === false ? ['http/1.1'] : ['h2', 'http/1.1'],
    handshakeTimeout: handshakeMsMax,
    headersTimeout: headersMsMax,
    keepAlive: true,
    keepAliveInitialDelay: keepAliveProbeMs,
    maxHeaderSize: headerBytesMax,
  });
  const addresses = new AddressCertificates(server, contexts, options, options);
  const exchangeTls = (material: TlsMaterial) => {
    addresses.exchange(material);
    contexts.exchange(material);
  };
  const connections = new Set<ServerConnection>();
  const sockets = new Set<Duplex>();
  // What is left out beyond a number could be what matters; the size of all is bounded.
  Object.assign(server, { keepAliveTimeout: idleMsMax, maxHeadersCount: 0 });
  serveHttp2(server, options, connections);
  serveHttp1(server, options);
  watchConnections(server, sockets, options);
  return listen(server, options, { connections, sockets, exchangeTls });
}

function watchConnections(server: Server, sockets: Set<Duplex>, options: SecureServingOptions): void {
  const { log } = options;
  server.on('tlsClientError', (failure, socket) => {
    log?.(`http: TLS handshake error from ${socket.remoteAddress}:${socket.remotePort}: ${failure.message}`);
  });
  server.on('secureConnection', (socket) => {
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.on('error', ignore);
    socket.on('close', () => sockets.delete(socket));
  });
}

interface Served extends Pick<SecureServer, 'exchangeTls'> {
  readonly connections: ReadonlySet<ServerConnection>;
  readonly sockets: ReadonlySet<Duplex>;
}

function listen(
  server: Server,
  options: SecureServingOptions,
  { connections, sockets, exchangeTls }: Served,
): Promise<SecureServer> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    const { host, port, sharesPort = false } = options;
    const place = { port, host, reusePort: sharesPort };
    // Of an address nothing is to be looked up, which takes some milliseconds the first time.
    server.listen(
      isIPv4(host) && 'BoundSocket' in net ? { handle: new net.BoundSocket(place) } : place,
      () => {
        server.off('error', reject);
        server.on('error', (failure) => options.log?.(`listener: ${failure.message}`));
        const closed = new Promise<void>((done) => server.once('close', () => done()));
        const stopListening = () => {
          if (server.listening) server.close();
          for (const connection of connections) connection.shutdown();
          for (const socket of sockets) endIdleHttp1(socket);
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

/** An HTTP/1.1 connection without a request under way is closed; HTTP/2 has its GOAWAY. */
function endIdleHttp1(socket: Duplex): void {
  const { alpnProtocol, _httpMessage: message } = socket as {
    alpnProtocol?: unknown;
    _httpMessage?: unknown;
  };
  if (alpnProtocol !== 'h2' && (message === undefined || message === null)) socket.end();
}

function ignore(): void {
  // The 'close' that follows is what matters.
}
