/** The connections of a port that stay with Node's HTTP/1.1. */
import type { IncomingMessage } from 'node:http';
import type { Server } from 'node:https';
import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import { systemClock } from '@coxswain/apimachinery';
import { brokenStream } from './broken-stream.ts';
import { answerHttp1, answerUpgrade, Http1Request } from './http1-exchange.ts';
import { http } from './node-http.ts';
import { peerOf } from './peer.ts';
import type { SecureServingOptions } from './serving-options.ts';
import { answerUnknownMethod, requestOfUnknownMethod } from './unknown-method.ts';
import type { ParserFailure } from './unknown-method.ts';
import { asksForUpgrade } from './upgrade.ts';

export function serveHttp1(server: Server, options: SecureServingOptions): void {
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
