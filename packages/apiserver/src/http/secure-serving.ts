/** HTTPS with HTTP/2 by ALPN and HTTP/1.1 for who asks for it, in front of one handler. */
import type { IncomingMessage } from 'node:http';
import type { Server } from 'node:https';
import net, { isIPv4 } from 'node:net';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { SecureContext, TLSSocket } from 'node:tls';
import type { Clock, Timer } from '@coxswain/apimachinery';
import { systemClock } from '@coxswain/apimachinery';
import { ServerConnection, errorCodes } from '@coxswain/http2';
import type { ServerStream } from '@coxswain/http2';
import type { IncomingRequest, Peer } from './api-request.ts';
import type { ApiResponse } from './api-response.ts';
import { answerHttp1, answerUpgrade, Http1Request } from './http1-exchange.ts';
import { answerHttp2, Http2Request } from './http2-exchange.ts';
import { http, https } from './node-http.ts';
import { peerOf } from './peer.ts';
import { AddressCertificates } from './tls/address-certificates.ts';
import { contextOptions, NamedContexts } from './tls/serving-tls.ts';
import type { TlsLimits, TlsMaterial } from './tls/serving-tls.ts';
import { asksForUpgrade } from './upgrade.ts';
import { answerUnknownMethod, requestOfUnknownMethod } from './unknown-method.ts';
import type { ParserFailure } from './unknown-method.ts';
import {
  concurrentStreamsDefault,
  frameBytes,
  handshakeMsMax,
  headerBytesMax,
  headerListBytesMax,
  headersMsMax,
  idleMsMax,
  keepAliveProbeMs,
} from './transport-limits.ts';

export type ServeRequest = (incoming: IncomingRequest) => ApiResponse | Promise<ApiResponse>;

export interface SecureServingOptions extends TlsMaterial, TlsLimits {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** Lets other processes listen on the same port. */
  readonly sharesPort?: boolean;
  readonly servesHttp2?: boolean;
  readonly concurrentStreams?: number;
  readonly clock?: Clock;
  readonly log?: (line: string) => void;
  readonly serve: ServeRequest;
}

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

/** Connections that chose HTTP/2 are ours; all others stay with Node's HTTP/1.1, its time limits included. */
function serveHttp2(server: Server, options: SecureServingOptions, connections: Set<ServerConnection>): void {
  const serveHttp1 = server.listeners('secureConnection') as ((socket: TLSSocket) => void)[];
  server.removeAllListeners('secureConnection');
  server.on('secureConnection', (socket) => {
    if (socket.alpnProtocol === 'h2') connections.add(openHttp2(socket, options, connections));
    else for (const serve of serveHttp1) serve.call(server, socket);
  });
  endIdleConnections(server, connections, options.clock ?? systemClock);
}

function openHttp2(
  socket: TLSSocket,
  { serve, log, clock = systemClock, concurrentStreams = concurrentStreamsDefault }: SecureServingOptions,
  connections: Set<ServerConnection>,
): ServerConnection {
  const peer = peerOf(socket, 'HTTP/2.0');
  const connection = new ServerConnection(socket, {
    clock,
    streamsMax: concurrentStreams,
    framePayloadBytesMax: frameBytes,
    streamWindowBytes: frameBytes,
    connectionWindowBytes: frameBytes * concurrentStreams,
    headerListBytesMax,
    onStream: (stream) => serveStream(stream, peer, serve, log),
    onFault: (failure) => brokenStream(failure, log, ignore),
  });
  socket.on('close', () => connections.delete(connection));
  return connection;
}

function serveStream(
  stream: ServerStream,
  peer: Peer,
  serve: ServeRequest,
  log: SecureServingOptions['log'],
): void {
  const cut = (failure: unknown) => brokenStream(failure, log, () => stream.reset(errorCodes.internal));
  try {
    const answer = serve(new Http2Request(stream, peer));
    if (answer instanceof Promise) answer.then((response) => answerHttp2(stream, response)).catch(cut);
    else answerHttp2(stream, answer);
  } catch (failure) {
    cut(failure);
  }
}

/** One timer for all, since connections that have just been used are many. */
function endIdleConnections(server: Server, connections: ReadonlySet<ServerConnection>, clock: Clock): void {
  let timer: Timer | undefined;
  const look = () => {
    for (const connection of connections) connection.endIfIdle(idlePeriods);
    timer = clock.after(idleMsMax / idlePeriods, look, { idle: true });
  };
  server.once('listening', look);
  server.once('close', () => timer?.cancel());
}

/** An idle connection is ended when it was found idle more often than this, one after the other. */
const idlePeriods = 6;

function serveHttp1(server: Server, options: SecureServingOptions): void {
  server.on('request', (message, response) => {
    const request = new Http1Request(message, response, peerOf(message.socket as TLSSocket, 'HTTP/1.1'));
    Promise.try(() => options.serve(request))
      .then((answer) => answerHttp1(message, response, answer))
      .catch((failure: unknown) => brokenStream(failure, options.log, () => response.destroy()));
  });
  Object.assign(server, {
    shouldUpgradeCallback: ({ headers }: IncomingMessage) => asksForUpgrade(headers),
  });
  server.on('upgrade', (message: IncomingMessage, socket: Duplex, sent: Uint8Array) => {
    const response = new http.ServerResponse(message);
    const request = new Http1Request(message, response, peerOf(socket as TLSSocket, 'HTTP/1.1'));
    socket.once('close', () => response.destroy());
    Promise.try(() => options.serve(request))
      .then((answer) => answerUpgrade(message, response, sent, answer))
      .catch((failure: unknown) => brokenStream(failure, options.log, () => socket.destroy()));
  });
}

/** The chain answers every failure itself; what arrives here is a fault of the transport. */
function brokenStream(failure: unknown, log: SecureServingOptions['log'], cut: () => void): void {
  log?.(
    `answering a request failed: ${failure instanceof Error ? (failure.stack ?? failure.message) : String(failure)}`,
  );
  cut();
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
  server.on('clientError', (failure: ParserFailure, socket) => {
    if (!socket.writable) socket.destroy();
    else void answerUnparsed(failure, socket as TLSSocket, options);
  });
}

const badRequest =
  'HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n400 Bad Request';

async function answerUnparsed(
  failure: ParserFailure,
  socket: TLSSocket,
  { serve, log, clock = systemClock }: SecureServingOptions,
): Promise<void> {
  const request = requestOfUnknownMethod(failure, peerOf(socket, 'HTTP/1.1'));
  if (request === undefined) {
    socket.end(badRequest);
    return;
  }
  try {
    answerUnknownMethod(socket, await serve(request), clock.now());
  } catch (broken) {
    brokenStream(broken, log, () => socket.destroy());
  }
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
