/** One HTTP/2 stream as a request, and its response. */
import { errorCodes, type ServerStream } from '@coxswain/http2';
import type { ApiResponse, StreamSink } from './api-response.ts';
import type { IncomingRequest, Peer, RequestHeaders } from './api-request.ts';
import { blockBytes, giveBack } from './blocks.ts';
import { spellOutHeaders } from '../header-bytes.ts';
import { http2Body } from './http2-body.ts';
import { httpDate } from './http-date.ts';
import { noBody, type RequestBody } from './request-body.ts';
import { streamPendingBytesMax } from './transport-limits.ts';
import { HeldBlock, holdingBody, LaggingStream } from './unread-bodies.ts';

export class Http2Request implements IncomingRequest {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly headers: RequestHeaders;
  readonly body: RequestBody;
  readonly peer: Peer;
  readonly structured = false;
  readonly observer = undefined;
  deadlineMs = Number.POSITIVE_INFINITY;
  readonly #stream: ServerStream;
  #abort: AbortController | undefined;

  constructor(stream: ServerStream, peer: Peer) {
    const { method, target, headers } = stream.head;
    const mark = target.indexOf('?');
    this.#stream = stream;
    this.method = method;
    this.path = mark < 0 ? target : target.slice(0, mark);
    this.query = mark < 0 ? '' : target.slice(mark + 1);
    this.headers = headers;
    this.peer = peer;
    this.body = stream.isRemoteOpen ? { kind: 'stream', stream: http2Body(stream) } : noBody;
  }

  get rawHeaders(): readonly string[] {
    return this.#stream.head.fields.flatMap(({ name, value }) => [name, value]);
  }

  signal(): AbortSignal {
    if (this.#abort === undefined) {
      const abort = (this.#abort = new AbortController());
      this.#stream.onClose(() => abort.abort());
    }
    return this.#abort.signal;
  }
}

/** A body that was not read is refused when the stream ends. */
export function answerHttp2(stream: ServerStream, response: ApiResponse): void {
  const { status, headers, body } = response;
  if (stream.isClosed) {
    if (body.kind === 'stream') body.open(new Http2Sink(stream));
    return;
  }
  spellOutHeaders(headers);
  headers['date'] ??= httpDate();
  // HTTP/2 has no such header: GOAWAY takes its place, and streams in progress are still answered.
  if (headers['connection'] !== undefined) stream.shutdownConnection();
  const isHead = stream.head.method === 'HEAD';
  switch (body.kind) {
    case 'bytes':
      headers['content-length'] ??= String(body.bytes.length);
      stream.respond(status, headers);
      if (!isHead) writeHeld(stream, body.bytes);
      return stream.end();
    case 'chunks':
      headers['content-length'] ??= String(body.bytesTotal);
      stream.respond(status, headers);
      return isHead ? stream.end() : sendBlocks(stream, body.chunks);
    case 'stream':
      stream.respond(status, headers);
      return body.open(new Http2Sink(stream));
    case 'upgrade':
      throw new Error('a connection that did not ask for another protocol was given one');
    default:
      stream.respond(status, headers, { isLast: true });
  }
}

function writeHeld(stream: ServerStream, bytes: Uint8Array): void {
  const over = holdingBody(bytes, () => stream.reset(errorCodes.enhanceYourCalm));
  stream.onClose(over);
  stream.write(bytes);
}

/** Writes as fast as the client reads: no further block is created while it lags behind. */
function sendBlocks(stream: ServerStream, blocks: Iterable<Uint8Array>): void {
  const iterator = blocks[Symbol.iterator]();
  const unread = new HeldBlock(() => stream.reset(errorCodes.enhanceYourCalm));
  stream.onClose(() => unread.release());
  const goOn = (): void => {
    while (!stream.isClosed && stream.unsentBytes < blockBytes) {
      const next = iterator.next();
      if (next.done === true) return stream.end();
      unread.hold(stream.unsentBytes + next.value.length);
      stream.write(next.value, () => giveBack(next.value));
    }
    if (!stream.isClosed) stream.onDrain(goOn);
  };
  goOn();
}

/** A streamed response. All writes of one event-loop turn are sent in one frame. */
class Http2Sink implements StreamSink {
  readonly #stream: ServerStream;
  readonly #unread: LaggingStream;

  constructor(stream: ServerStream) {
    this.#stream = stream;
    this.#unread = new LaggingStream(() => stream.reset(errorCodes.enhanceYourCalm));
  }

  get bytesPending(): number {
    return this.#stream.unsentBytes;
  }

  write(bytes: Uint8Array): void {
    this.#stream.write(bytes);
  }

  drained(): Promise<void> | undefined {
    const stream = this.#stream;
    if (stream.isClosed) return undefined;
    // Also called back when the stream is closed.
    this.#unread.note(stream.unsentBytes, (callback) => stream.onDrain(callback));
    if (stream.unsentBytes < streamPendingBytesMax) return undefined;
    return new Promise((resolve) => stream.onDrain(resolve));
  }

  end(): void {
    this.#stream.end();
  }

  abort(): void {
    this.#stream.abort(errorCodes.internal);
  }

  onClose(listener: () => void): void {
    this.#stream.onClose(listener);
  }
}
