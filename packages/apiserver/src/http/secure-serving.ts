/** HTTPS with HTTP/2 by ALPN and HTTP/1.1 for who asks for it, in front of one handler. */
import { constants, createSecureServer } from 'node:http2';
import type { Http2SecureServer, ServerHttp2Session } from 'node:http2';
import type { IncomingMessage, ServerResponse } from 'node:http';
import net, { isIPv4 } from 'node:net';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { SecureContext, TLSSocket } from 'node:tls';
import type { Clock } from '@coxswain/apimachinery';
import { systemClock } from '@coxswain/apimachinery';
import type { IncomingRequest } from './api-request.ts';
import type { ApiResponse } from './api-response.ts';
import { answerHttp1, answerUpgrade, Http1Request } from './http1-exchange.ts';
import { answerHttp2, Http2Request } from './http2-stream.ts';
import { http } from './node-http.ts';
import { peerOf } from './peer.ts';
import { ResetGuard } from './reset-guard.ts';
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
  headerPairsMax,
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
  const concurrentStreams = options.concurrentStreams ?? concurrentStreamsDefault;
  const contexts = new NamedContexts(options, options);
  const server = createSecureServer({
    ...contextOptions(options, options),
    requestCert: options.clientCa !== undefined,
    SNICallback: (name: string, done: (failure: null, context?: SecureContext) => void) =>
      done(null, contexts.find(name) ?? addresses.contextForNames()),
    rejectUnauthorized: false,
    allowHTTP1: true,
    handshakeTimeout: handshakeMsMax,
    headersTimeout: headersMsMax,
    keepAlive: true,
    keepAliveInitialDelay: keepAliveProbeMs,
    maxHeaderSize: headerBytesMax,
    maxHeaderListPairs: headerPairsMax,
    maxSessionMemory: sessionMegabytesMax,
    settings: {
      maxConcurrentStreams: concurrentStreams,
      initialWindowSize: frameBytes,
      maxFrameSize: frameBytes,
      maxHeaderListSize: headerListBytesMax,
    },
  } as Parameters<typeof createSecureServer>[0]);
  const addresses = new AddressCertificates(server, contexts, options, options);
  if (options.servesHttp2 === false) Object.assign(server, { ALPNProtocols: onlyHttp1 });
  const exchangeTls = (material: TlsMaterial) => {
    addresses.exchange(material);
    contexts.exchange(material);
  };
  const sessions = new Set<ServerHttp2Session>();
  const sockets = new Set<Duplex>();
  // What is left out beyond a number could be what matters; the size of all is bounded.
  Object.assign(server, { keepAliveTimeout: idleMsMax, maxHeadersCount: 0 });
  serveHttp2(server, options, sessions, concurrentStreams);
  serveHttp1(server, options);
  watchConnections(server, sockets, options);
  return listen(server, options, { sessions, sockets, exchangeTls });
}

/** As ALPN writes it: each name after its length. */
const onlyHttp1 = Buffer.from('\x08http/1.1');

/** Node's own bound on what one session may hold, in megabytes. */
const sessionMegabytesMax = 128;

function serveHttp2(
  server: Http2SecureServer,
  options: SecureServingOptions,
  sessions: Set<ServerHttp2Session>,
  concurrentStreams: number,
): void {
  const clock = options.clock ?? systemClock;
  const { serve } = options;
  server.on('session', (session) => {
    sessions.add(session);
    const guard = new ResetGuard(clock);
    session.setTimeout(idleMsMax, () => session.close());
    session.setLocalWindowSize(frameBytes * concurrentStreams);
    session.on('close', () => sessions.delete(session));
    session.on('error', () => session.destroy());
    const peer = peerOf(session.socket as TLSSocket, 'HTTP/2.0');
    session.on('stream', (stream, headers, _flags, rawHeaders) => {
      stream.on('error', ignore);
      stream.on('aborted', () => {
        if (stream.rstCode !== constants.NGHTTP2_NO_ERROR && guard.reset()) session.destroy();
      });
      const request = new Http2Request(stream, headers, peer, rawHeaders);
      const cut = (failure: unknown) =>
        brokenStream(failure, options.log, () => stream.close(constants.NGHTTP2_INTERNAL_ERROR));
      try {
        const answer = serve(request);
        if (answer instanceof Promise) {
          answer.then((response) => answerHttp2(stream, response, request.method)).catch(cut);
        } else answerHttp2(stream, answer, request.method);
      } catch (failure) {
        cut(failure);
      }
    });
  });
}

function serveHttp1(server: Http2SecureServer, options: SecureServingOptions): void {
  // Without this, the first 'request' listener would put the compatibility layer over HTTP/2 streams too.
  server.removeAllListeners('newListener');
  server.on('request', (message, response) => {
    const plainMessage = message as unknown as IncomingMessage;
    const plainResponse = response as unknown as ServerResponse;
    const request = new Http1Request(
      plainMessage,
      plainResponse,
      peerOf(plainMessage.socket as TLSSocket, 'HTTP/1.1'),
    );
    Promise.try(() => options.serve(request))
      .then((answer) => answerHttp1(plainMessage, plainResponse, answer))
      .catch((failure: unknown) => brokenStream(failure, options.log, () => plainResponse.destroy()));
  });
  Object.assign(server, {
    shouldUpgradeCallback: ({ headers }: IncomingMessage) => asksForUpgrade(headers),
  });
  server.on(
    'upgrade' as 'request',
    ((message: IncomingMessage, socket: TLSSocket, sent: Uint8Array) => {
      const response = new http.ServerResponse(message);
      const request = new Http1Request(message, response, peerOf(socket, 'HTTP/1.1'));
      socket.once('close', () => response.destroy());
      Promise.try(() => options.serve(request))
        .then((answer) => answerUpgrade(message, response, sent, answer))
        .catch((failure: unknown) => brokenStream(failure, options.log, () => socket.destroy()));
    }) as never,
  );
}

/** The chain answers every failure itself; what arrives here is a fault of the transport. */
function brokenStream(failure: unknown, log: SecureServingOptions['log'], cut: () => void): void {
  log?.(
    `answering a request failed: ${failure instanceof Error ? (failure.stack ?? failure.message) : String(failure)}`,
  );
  cut();
}

function watchConnections(
  server: Http2SecureServer,
  sockets: Set<Duplex>,
  options: SecureServingOptions,
): void {
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
  server.on('sessionError', ignore);
  server.on('clientError', (failure: ParserFailure, socket) => {
    if (!socket.writable) socket.destroy();
    else void answerUnparsed(failure, socket as TLSSocket, options);
  });
  server.on('unknownProtocol', (socket) => socket.destroy());
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
  readonly sessions: ReadonlySet<ServerHttp2Session>;
  readonly sockets: ReadonlySet<Duplex>;
}

function listen(
  server: Http2SecureServer,
  options: SecureServingOptions,
  { sessions, sockets, exchangeTls }: Served,
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
          for (const session of sessions) session.close();
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
