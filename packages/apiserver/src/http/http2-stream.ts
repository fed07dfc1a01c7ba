/** One HTTP/2 stream as a request, on node's core API: its compatibility layer costs a third of a GET. */
import { spellOutHeaders } from './header-bytes.ts';
import { constants } from 'node:http2';
import type { IncomingHttpHeaders, ServerHttp2Stream } from 'node:http2';
import type { ApiResponse, ResponseHeaders } from './api-response.ts';
import type { IncomingRequest, Peer, RequestHeaders } from './api-request.ts';
import { JoinedWrites } from './joined-writes.ts';
import { noBody } from './request-body.ts';
import type { RequestBody } from './request-body.ts';
import { bodyOf, declaredLength } from './stream-body.ts';
import { writeBlocks } from './write-blocks.ts';

export class Http2Request implements IncomingRequest {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly headers: RequestHeaders;
  readonly rawHeaders: readonly string[];
  readonly body: RequestBody;
  readonly peer: Peer;
  readonly structured = false;
  readonly observer = undefined;
  readonly #stream: ServerHttp2Stream;
  #abort: AbortController | undefined;

  constructor(
    stream: ServerHttp2Stream,
    headers: IncomingHttpHeaders,
    peer: Peer,
    rawHeaders: readonly string[],
  ) {
    const target = String(headers[':path'] ?? '/');
    const mark = target.indexOf('?');
    this.#stream = stream;
    this.method = String(headers[':method'] ?? 'GET');
    this.path = mark < 0 ? target : target.slice(0, mark);
    this.query = mark < 0 ? '' : target.slice(mark + 1);
    this.headers = headers;
    this.rawHeaders = rawHeaders;
    this.peer = peer;
    this.body = stream.endAfterHeaders
      ? noBody
      : { kind: 'stream', stream: bodyOf(stream, declaredLength(headers['content-length'])) };
  }

  signal(): AbortSignal {
    if (this.#abort === undefined) {
      const abort = (this.#abort = new AbortController());
      if (this.#stream.destroyed) abort.abort();
      else this.#stream.once('close', () => abort.abort());
    }
    return this.#abort.signal;
  }
}

export function answerHttp2(stream: ServerHttp2Stream, response: ApiResponse, method: string): void {
  if (stream.destroyed || stream.closed) {
    if (response.body.kind === 'stream') response.body.open(new JoinedWrites(stream));
    return;
  }
  const { body } = response;
  spellOutHeaders(response.headers);
  const head: ResponseHeaders & { ':status'?: number } = response.headers;
  head[':status' as never] = response.status as never;
  if (head['connection'] !== undefined) {
    // HTTP/2 has no such header: GOAWAY says it, and what is under way is still answered.
    head['connection'] = undefined as never;
    stream.session?.close();
  }
  switch (body.kind) {
    case 'bytes':
      head['content-length'] ??= String(body.bytes.length);
      if (method === 'HEAD') return finishHead(stream, head);
      stream.respond(head as never);
      stream.end(body.bytes);
      break;
    case 'chunks':
      head['content-length'] ??= String(body.bytesTotal);
      if (method === 'HEAD') return finishHead(stream, head);
      stream.respond(head as never);
      writeBlocks(stream, body.chunks);
      break;
    case 'stream':
      stream.respond(head as never);
      body.open(new JoinedWrites(stream));
      break;
    case 'upgrade':
      throw new Error('a connection that did not ask for another protocol was given one');
    default:
      return finishHead(stream, head);
  }
  if (!stream.endAfterHeaders && !stream.readableEnded) refuseRest(stream);
}

function finishHead(stream: ServerHttp2Stream, head: object): void {
  stream.respond(head as never, { endStream: true });
  if (!stream.endAfterHeaders && !stream.readableEnded) refuseRest(stream);
}

/** The body was not wanted: once the answer has left, the client is told to stop sending. */
function refuseRest(stream: ServerHttp2Stream): void {
  const stop = () => {
    if (!stream.destroyed && !stream.readableEnded) stream.close(constants.NGHTTP2_NO_ERROR);
  };
  if (stream.writableFinished) stop();
  else stream.once('finish', stop);
}
