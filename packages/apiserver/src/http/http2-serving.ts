/** The HTTP/2 connections of a port. */
import type { TLSSocket } from 'node:tls';
import { systemClock } from '@coxswain/apimachinery';
import { ServerConnection, errorCodes, type ServerStream } from '@coxswain/http2';
import type { Peer } from './api-request.ts';
import type { ApiResponse } from './api-response.ts';
import { brokenStream } from './broken-stream.ts';
import { answerHttp2, Http2Request } from './http2-exchange.ts';
import { peerOf } from './peer.ts';
import type { SecureServingOptions, ServeRequest } from './serving-options.ts';
import {
  concurrentStreamsDefault,
  frameBytes,
  headerListBytesMax,
  idleMsMax,
  lookMs,
} from './transport-limits.ts';

export function openHttp2(
  socket: TLSSocket,
  { serve, log, clock = systemClock, concurrentStreams = concurrentStreamsDefault }: SecureServingOptions,
  connections: Set<ServerConnection>,
): void {
  const peer = peerOf(socket, 'HTTP/2.0');
  const connection = new ServerConnection(socket, {
    clock,
    owner: () => peer.owner ?? peer.address,
    streamsMax: concurrentStreams,
    framePayloadBytesMax: frameBytes,
    streamWindowBytes: frameBytes,
    connectionWindowBytes: frameBytes * concurrentStreams,
    headerListBytesMax,
    onStream: (stream) => serveStream(stream, peer, serve, log),
    onFault: (failure) => brokenStream(failure, log, () => undefined),
  });
  connections.add(connection);
  socket.on('close', () => connections.delete(connection));
}

function serveStream(
  stream: ServerStream,
  peer: Peer,
  serve: ServeRequest,
  log: SecureServingOptions['log'],
): void {
  const cut = (failure: unknown) => brokenStream(failure, log, () => stream.reset(errorCodes.internal));
  const request = new Http2Request(stream, peer);
  const answerWith = (response: ApiResponse) => {
    stream.deadlineMs = request.deadlineMs;
    answerHttp2(stream, response);
  };
  try {
    const answer = serve(request);
    if (answer instanceof Promise) answer.then(answerWith).catch(cut);
    else answerWith(answer);
  } catch (failure) {
    cut(failure);
  }
}

export function lookAfterHttp2(connections: ReadonlySet<ServerConnection>, nowMs: number): void {
  for (const connection of connections) {
    connection.cutOverdue(nowMs);
    connection.endIfIdle(idlePeriods);
  }
}

/** An idle connection is closed after more than this many consecutive checks. */
const idlePeriods = idleMsMax / lookMs;
