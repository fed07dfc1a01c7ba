import { setImmediate as nextTurn } from 'node:timers/promises';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { errorCodes, type RequestHeaders, type ServerStream } from '@coxswain/http2';
import { ProtobufError, decode } from '@coxswain/protobuf';
import { FrameReader, frameOf, framePieces } from '../frames.ts';
import { GrpcError, escapedMessage, grpcCodes } from '../status.ts';
import type { Caller, Method, Methods, StreamCall } from './method.ts';
import { Requests } from './requests.ts';
import type { UnreadResponses } from './unread-responses.ts';

export interface AnswerOptions {
  /** The maximum size of a request. */
  readonly messageBytesMax: number;
  readonly unread?: UnreadResponses;
  /** Converts an exception to the service's GrpcError; anything else is reported as `Unknown`. */
  readonly failureOf?: (thrown: unknown) => unknown;
}

/** With more unread response data than this, the client may not send further requests. */
const unsentBytesMax = 1024 * 1024;

const contentType = { 'content-type': 'application/grpc' } as const;
const succeeded = { 'grpc-status': '0' } as const;

export const isGrpc = (headers: RequestHeaders): boolean =>
  headers['content-type']?.startsWith('application/grpc') ?? false;

/** Handles one gRPC call; every failure becomes its status. */
export function answerStream(
  stream: ServerStream,
  methods: Methods,
  options: AnswerOptions,
  commonName?: string,
): void {
  const path = stream.head.target;
  const method = methods[path];
  if (method === undefined) return refuse(stream, unknownMethod(path, methods), options);
  const caller = new StreamCaller(stream, commonName);
  if (method.unary !== undefined) answerUnary(stream, method, options, caller);
  else answerStreaming(stream, method, options, caller);
}

function unknownMethod(path: string, methods: Methods): GrpcError {
  const [, service = '', name = ''] = path.split('/');
  const isKnown = Object.keys(methods).some((each) => each.startsWith(`/${service}/`));
  const message = isKnown ? `unknown method ${name} for service ${service}` : `unknown service ${service}`;
  return new GrpcError(grpcCodes.unimplemented, message);
}

function answerUnary(
  stream: ServerStream,
  method: Method,
  options: AnswerOptions,
  caller: StreamCaller,
): void {
  const reader = new FrameReader(options.messageBytesMax);
  let request: Buffer | undefined;
  const fail = (failure: unknown): void => {
    // Further data of a rejected request is ignored.
    stream.listener = { onData: (chunk) => stream.giveBack(chunk.length), onEnd: () => undefined };
    refuse(stream, failure, options);
  };
  stream.listener = {
    onData(chunk) {
      stream.giveBack(chunk.length);
      try {
        for (const message of reader.push(chunk)) request ??= message;
      } catch (failure) {
        fail(failure);
      }
    },
    onEnd() {
      if (stream.isClosed || stream.isAnswered) return;
      if (request === undefined) return fail(new GrpcError(grpcCodes.internal, 'the request has no message'));
      respondUnary(stream, method, request, caller, options.unread).catch(fail);
    },
  };
  stream.onClose(() => caller.leave());
}

async function respondUnary(
  stream: ServerStream,
  method: Method,
  bytes: Buffer,
  caller: Caller,
  unread: UnreadResponses | undefined,
): Promise<void> {
  const request = decode(method.request, bytes) as never;
  if (unread !== undefined && method.mayBeLong?.(request) === true)
    return unread.oneByOne(stream, async () => {
      const answer = await method.unary!(request, caller);
      const pieces = method.pieces?.(answer as never) ?? [answer];
      sendUnary(stream, await framePieces(method.response, pieces as Iterable<object>, nextTurn), unread);
    });
  const answer = await method.unary!(request, caller);
  sendUnary(stream, [frameOf(method.response, answer as object)], unread);
}

function sendUnary(
  stream: ServerStream,
  framed: readonly Uint8Array[],
  unread: UnreadResponses | undefined,
): void {
  unread?.add(
    stream,
    framed.reduce((sum, { length }) => sum + length, 0),
  );
  stream.respond(200, contentType);
  for (const piece of framed) stream.write(piece);
  stream.end(succeeded);
}

function answerStreaming(
  stream: ServerStream,
  method: Method,
  options: AnswerOptions,
  caller: StreamCaller,
): void {
  const reader = new FrameReader(options.messageBytesMax);
  const requests = new Requests();
  const giveBack = givingBackToReaders(stream);
  stream.respond(200, contentType);
  stream.listener = {
    onData(chunk) {
      giveBack(chunk.length);
      try {
        for (const message of reader.push(chunk)) requests.push(decode(method.request, message));
      } catch (failure) {
        requests.fail(failure);
      }
    },
    onEnd: () => requests.end(),
  };
  stream.onClose(() => {
    requests.end();
    caller.leave();
  });
  const call: StreamCall<unknown, unknown> = {
    caller,
    requests,
    signal: caller.signal,
    send: (response) => stream.write(frameOf(method.response, response as object)),
    get unsentBytes() {
      return stream.unsentBytes;
    },
    onDrain: (callback) => stream.onDrain(callback),
  };
  method.stream!(call as StreamCall<never, never>).then(
    () => stream.end(succeeded),
    (failure: unknown) => stream.end(statusOf(failure, options)),
  );
}

/** Responses wait in memory until they are read, so a client that does not read may not keep sending requests. */
function givingBackToReaders(stream: ServerStream): (bytes: number) => void {
  let heldBytes = 0;
  const giveHeld = (): void => {
    const bytes = heldBytes;
    heldBytes = 0;
    stream.giveBack(bytes);
  };
  return (bytes) => {
    if (heldBytes === 0 && stream.unsentBytes <= unsentBytesMax) return stream.giveBack(bytes);
    if (heldBytes === 0) stream.onDrain(giveHeld);
    heldBytes += bytes;
  };
}

/** A status and nothing else. */
function refuse(stream: ServerStream, failure: unknown, options: AnswerOptions): void {
  if (stream.isAnswered) return stream.reset(errorCodes.internal);
  stream.respond(200, { ...contentType, ...statusOf(failure, options) }, { isLast: true });
}

function statusOf(thrown: unknown, { failureOf }: AnswerOptions): Record<string, string> {
  const { code, message } = asGrpcError(failureOf === undefined ? thrown : failureOf(thrown));
  return { 'grpc-status': String(code), 'grpc-message': escapedMessage(message) };
}

function asGrpcError(failure: unknown): GrpcError {
  if (failure instanceof GrpcError) return failure;
  if (failure instanceof ProtobufError) {
    return new GrpcError(grpcCodes.internal, `grpc: error unmarshalling request: ${failure.message}`);
  }
  return new GrpcError(grpcCodes.unknown, messageOf(failure));
}

/** Created on demand: most calls never use the signal, which costs more than the rest of the call. */
class StreamCaller implements Caller {
  readonly token: string | undefined;
  readonly commonName: string | undefined;
  #abort: AbortController | undefined;
  #isGone = false;

  constructor(stream: ServerStream, commonName: string | undefined) {
    const { headers } = stream.head;
    this.token = headers['token'] ?? headers['authorization'];
    this.commonName = commonName;
  }

  get signal(): AbortSignal {
    if (this.#abort === undefined) {
      this.#abort = new AbortController();
      if (this.#isGone) this.#abort.abort();
    }
    return this.#abort.signal;
  }

  leave(): void {
    this.#isGone = true;
    this.#abort?.abort();
  }
}
