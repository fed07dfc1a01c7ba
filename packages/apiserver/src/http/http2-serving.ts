/** The connections of a port that chose HTTP/2. */
import type { Server } from 'node:https';
import type { TLSSocket } from 'node:tls';
import { systemClock } from '@coxswain/apimachinery';
import type { Clock, Timer } from '@coxswain/apimachinery';
import { ServerConnection, errorCodes } from '@coxswain/http2';
import type { ServerStream } from '@coxswain/http2';
import type { Peer } from './api-request.ts';
import { brokenStream } from './broken-stream.ts';
import { answerHttp2, Http2Request } from './http2-exchange.ts';
import { peerOf } from './peer.ts';
import type { SecureServingOptions, ServeRequest } from './serving-options.ts';
import { concurrentStreamsDefault, frameBytes, headerListBytesMax, idleMsMax } from './transport-limits.ts';

/** Connections that chose HTTP/2 are ours; all others stay with Node's HTTP/1.1, its time limits included. */
export function serveHttp2(
  server: Server,
  options: SecureServingOptions,
  connections: Set<ServerConnection>,
): void {
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
    onFault: (failure) => brokenStream(failure, log, () => undefined),
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
