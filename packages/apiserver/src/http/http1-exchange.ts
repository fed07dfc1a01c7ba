/** One HTTP/1.1 request and its answer. */
import { spellOutHeaders } from './header-bytes.ts';
import { STATUS_CODES } from './node-http.ts';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { ApiResponse } from './api-response.ts';
import type { IncomingRequest, Peer, RequestHeaders } from './api-request.ts';
import { JoinedWrites } from './joined-writes.ts';
import { noBody } from './request-body.ts';
import type { RequestBody } from './request-body.ts';
import { bodyOf, declaredLength } from './stream-body.ts';
import { writeBlocks } from './write-blocks.ts';

export class Http1Request implements IncomingRequest {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly headers: RequestHeaders;
  readonly rawHeaders: readonly string[];
  readonly body: RequestBody;
  readonly peer: Peer;
  readonly structured = false;
  readonly observer = undefined;
  readonly #response: ServerResponse;
  #abort: AbortController | undefined;

  constructor(message: IncomingMessage, response: ServerResponse, peer: Peer) {
    const target = message.url ?? '/';
    const mark = target.indexOf('?');
    const { headers } = message;
    this.#response = response;
    this.method = message.method ?? 'GET';
    this.path = mark < 0 ? target : target.slice(0, mark);
    this.query = mark < 0 ? '' : target.slice(mark + 1);
    this.headers = headers;
    this.rawHeaders = message.rawHeaders;
    this.peer = peer;
    const declared = declaredLength(headers['content-length']);
    const bodiless = headers['transfer-encoding'] === undefined && (declared === undefined || declared === 0);
    this.body = bodiless ? noBody : { kind: 'stream', stream: bodyOf(message, declared) };
  }

  signal(): AbortSignal {
    if (this.#abort === undefined) {
      const abort = (this.#abort = new AbortController());
      if (this.#response.destroyed) abort.abort();
      else this.#response.once('close', () => abort.abort());
    }
    return this.#abort.signal;
  }
}

export function answerHttp1(message: IncomingMessage, response: ServerResponse, answer: ApiResponse): void {
  const { body } = answer;
  const unread = !message.complete;
  const isTooMuch = unread && (declaredLength(message.headers['content-length']) ?? 0) > unreadBytesMax;
  if (isTooMuch) response.setHeader('connection', 'close');
  spellOutHeaders(answer.headers);
  const head = answer.headers as Record<string, string | string[]>;
  switch (body.kind) {
    case 'bytes':
      head['content-length'] ??= String(body.bytes.length);
      response.writeHead(answer.status, head);
      response.end(body.bytes);
      break;
    case 'chunks':
      head['content-length'] ??= String(body.bytesTotal);
      response.writeHead(answer.status, head);
      if (message.method === 'HEAD') response.end();
      else writeBlocks(response, body.chunks);
      break;
    case 'stream':
      response.writeHead(answer.status, head);
      response.flushHeaders();
      body.open(new JoinedWrites(response));
      break;
    case 'upgrade':
      throw new Error('a connection that did not ask for another protocol was given one');
    default:
      if (answer.status !== 204 && answer.status !== 304) head['content-length'] ??= '0';
      response.writeHead(answer.status, head);
      response.end();
  }
  if (isTooMuch) response.once('finish', () => closeLater(message.socket));
  if (unread) skipRest(message, response);
}

/**
 * The answer to a request that asked for another protocol: the connection is handed over, or the refusal is
 * the last thing said on it.
 */
export function answerUpgrade(
  message: IncomingMessage,
  response: ServerResponse,
  sent: Uint8Array,
  answer: ApiResponse,
): void {
  const { socket } = message;
  if (answer.body.kind !== 'upgrade') {
    response.assignSocket(socket as Socket);
    response.once('finish', () => socket.end());
    response.setHeader('connection', 'close');
    answerHttp1(message, response, answer);
    return;
  }
  const lines = Object.entries(answer.headers).flatMap(([name, value]) =>
    [value].flat().map((text) => `${name}: ${text}\r\n`),
  );
  socket.write(`HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status]}\r\n${lines.join('')}\r\n`);
  answer.body.accept(socket, sent);
}

/** A body that nobody wanted is taken in up to this, as Go does; for more the connection is given up. */
const unreadBytesMax = 256 * 1024;

/** How long a client may read on before the connection is cut, which could take the answer with it; Go's. */
const closingMsMax = 500;

function skipRest(message: IncomingMessage, response: ServerResponse): void {
  let bytesSeen = 0;
  message.on('data', (chunk: Uint8Array) => {
    bytesSeen += chunk.length;
    if (bytesSeen <= unreadBytesMax) return;
    message.pause();
    if (response.writableFinished) closeLater(message.socket);
    else response.once('finish', () => closeLater(message.socket));
  });
  message.on('error', () => undefined);
}

function closeLater(socket: Socket): void {
  socket.end();
  const timer = setTimeout(() => socket.destroy(), closingMsMax);
  socket.once('close', () => clearTimeout(timer));
}
