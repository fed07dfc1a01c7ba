import { constants } from 'node:http2';
import type { IncomingHttpHeaders, ServerHttp2Stream } from 'node:http2';
import { GrpcError, grpcCodes } from '@coxswain/storage/etcd/grpc-status.ts';
import { MalformedMessage, decode, encode } from '@coxswain/storage/etcd/wire.ts';
import { FrameReader, frame } from '@coxswain/storage/etcd/grpc-frames.ts';
import type { Method, Methods, StreamCall } from './method.ts';

export interface GrpcBounds {
  /** Of a request. */
  readonly messageBytesMax: number;
}

/** Requests of one stream that wait for their turn; a client that sends more is ended. */
const waitingRequestsMax = 10_000;

export const isGrpc = (headers: IncomingHttpHeaders): boolean =>
  headers['content-type']?.startsWith('application/grpc') ?? false;

/** Answers one gRPC call; every failure becomes its status. */
export function answerStream(
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
  methods: Methods,
  bounds: GrpcBounds,
): void {
  const path = headers[':path'] ?? '';
  const method = methods[path];
  // A client that resets its stream, at any moment, is no failure of ours.
  stream.on('error', () => undefined);
  if (method === undefined) {
    const [, service = '', name = ''] = path.split('/');
    const known = Object.keys(methods).some((each) => each.startsWith(`/${service}/`));
    const message = known ? `unknown method ${name} for service ${service}` : `unknown service ${service}`;
    return refuse(stream, new GrpcError(grpcCodes.unimplemented, message));
  }
  if (method.unary !== undefined) answerUnary(stream, method, bounds);
  else answerStreaming(stream, method, bounds);
}

function answerUnary(stream: ServerHttp2Stream, method: Method, bounds: GrpcBounds): void {
  const reader = new FrameReader(bounds.messageBytesMax);
  let request: Buffer | undefined;
  let isOver = false;
  const fail = (failure: unknown): void => {
    if (!isOver) refuse(stream, failure);
    isOver = true;
  };
  stream.on('data', (chunk: Buffer) => {
    try {
      for (const message of reader.push(chunk)) request ??= message;
    } catch (failure) {
      fail(failure);
    }
  });
  stream.on('end', () => {
    if (isOver) return;
    if (request === undefined) return fail(new GrpcError(grpcCodes.internal, 'the request has no message'));
    void respondUnary(stream, method, request).catch(fail);
  });
}

async function respondUnary(stream: ServerHttp2Stream, method: Method, bytes: Buffer): Promise<void> {
  const request = decode(method.request, bytes);
  const response = encode(method.response, (await method.unary!(request as never)) as object);
  if (isGone(stream)) return;
  begin(stream, () => ({ 'grpc-status': '0' }));
  stream.end(frame(response));
}

function answerStreaming(stream: ServerHttp2Stream, method: Method, bounds: GrpcBounds): void {
  const reader = new FrameReader(bounds.messageBytesMax);
  const requests = new Requests();
  const abort = new AbortController();
  let status: unknown;
  begin(stream, () => trailersOf(status));
  stream.on('data', (chunk: Buffer) => {
    try {
      for (const message of reader.push(chunk)) requests.push(decode(method.request, message));
    } catch (failure) {
      requests.fail(failure);
    }
  });
  stream.on('end', () => requests.end());
  stream.on('close', () => {
    requests.end();
    abort.abort();
  });
  const call: StreamCall<unknown, unknown> = {
    requests,
    signal: abort.signal,
    send(response) {
      if (!stream.destroyed && !stream.writableEnded)
        stream.write(frame(encode(method.response, response as object)));
    },
    get unsentBytes() {
      return stream.writableLength;
    },
    onDrain: (callback) => void stream.once('drain', callback),
  };
  method.stream!(call as StreamCall<never, never>)
    .catch((failure: unknown) => (status = failure))
    .finally(() => stream.end());
}

/** Nothing can be said to the client any more. */
const isGone = (stream: ServerHttp2Stream): boolean => stream.destroyed || stream.closed;

function begin(stream: ServerHttp2Stream, trailers: () => Record<string, string>): void {
  stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
  stream.on('wantTrailers', () => stream.sendTrailers(trailers()));
}

/** A status and nothing else. */
function refuse(stream: ServerHttp2Stream, failure: unknown): void {
  if (isGone(stream) || stream.headersSent) return;
  const head = { ':status': 200, 'content-type': 'application/grpc', ...trailersOf(failure) };
  stream.respond(head, { endStream: true });
  // Whatever is still coming isn't wanted. Closed at once, the status would not go out any more.
  if (!stream.readableEnded) setImmediate(() => stream.close(constants.NGHTTP2_NO_ERROR));
}

function trailersOf(failure: unknown): Record<string, string> {
  if (failure === undefined) return { 'grpc-status': '0' };
  const { code, message } = asGrpcError(failure);
  return { 'grpc-status': String(code), 'grpc-message': escapeMessage(message) };
}

function asGrpcError(failure: unknown): GrpcError {
  if (failure instanceof GrpcError) return failure;
  if (failure instanceof MalformedMessage) {
    return new GrpcError(grpcCodes.internal, `grpc: error unmarshalling request: ${failure.message}`);
  }
  return new GrpcError(grpcCodes.internal, failure instanceof Error ? failure.message : String(failure));
}

/** As gRPC has it: UTF-8 bytes outside of printable ASCII, and `%`, in hexadecimal. */
const escapeMessage = (message: string): string =>
  [...Buffer.from(message)]
    .map((byte) =>
      byte >= 0x20 && byte < 0x7f && byte !== 0x25
        ? String.fromCharCode(byte)
        : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`,
    )
    .join('');

/** Requests as they come, for one reader. */
class Requests implements AsyncIterable<unknown> {
  #waiting: unknown[] = [];
  #failure: unknown;
  #ended = false;
  #wake: (() => void) | undefined;

  push(request: unknown): void {
    if (this.#waiting.length >= waitingRequestsMax) {
      return this.fail(
        new GrpcError(grpcCodes.resourceExhausted, 'too many requests are waiting on one stream'),
      );
    }
    this.#waiting.push(request);
    this.#wake?.();
  }

  fail(failure: unknown): void {
    this.#failure ??= failure;
    this.end();
  }

  end(): void {
    this.#ended = true;
    this.#wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<unknown, void, void> {
    for (;;) {
      while (this.#waiting.length > 0) yield this.#waiting.shift();
      if (this.#failure !== undefined) throw this.#failure;
      if (this.#ended) return;
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}
