import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { GrpcError, grpcCodes } from '@coxswain/storage/etcd/grpc-status.ts';
import { MalformedMessage, decode, encode } from '@coxswain/storage/etcd/wire.ts';
import { FrameReader, frame } from '@coxswain/storage/etcd/grpc-frames.ts';
import { errorCodes, type RequestHeaders, type ServerStream } from '@coxswain/http2';
import { asEtcdFailure } from '../failures.ts';
import type { Caller, Method, Methods, StreamCall } from './method.ts';
import { Requests } from './requests.ts';
import type { UnreadAnswers } from './unread-answers.ts';

export interface GrpcBounds {
  /** Of a request. */
  readonly messageBytesMax: number;
  readonly unread: UnreadAnswers;
}

/** More than this of a stream's answers unread, and its client may not send more requests. */
const unsentBytesMax = 1024 * 1024;
/** As gRPC's own, for who sends and who receives. */
const answerBytesMax = 2 ** 31 - 1;

const contentType = { 'content-type': 'application/grpc' } as const;
const succeeded = { 'grpc-status': '0' } as const;

export const isGrpc = (headers: RequestHeaders): boolean =>
  headers['content-type']?.startsWith('application/grpc') ?? false;

/** Answers one gRPC call; every failure becomes its status. */
export function answerStream(
  stream: ServerStream,
  methods: Methods,
  bounds: GrpcBounds,
  commonName: string | undefined,
): void {
  const path = stream.head.target;
  const method = methods[path];
  if (method === undefined) return refuse(stream, unknownMethod(path, methods));
  const caller = new StreamCaller(stream, commonName);
  if (method.unary !== undefined) answerUnary(stream, method, bounds, caller);
  else answerStreaming(stream, method, bounds, caller);
}

function unknownMethod(path: string, methods: Methods): GrpcError {
  const [, service = '', name = ''] = path.split('/');
  const isKnown = Object.keys(methods).some((each) => each.startsWith(`/${service}/`));
  const message = isKnown ? `unknown method ${name} for service ${service}` : `unknown service ${service}`;
  return new GrpcError(grpcCodes.unimplemented, message);
}

function answerUnary(stream: ServerStream, method: Method, bounds: GrpcBounds, caller: StreamCaller): void {
  const reader = new FrameReader(bounds.messageBytesMax);
  let request: Buffer | undefined;
  const fail = (failure: unknown): void => refuse(stream, failure);
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
      respondUnary(stream, method, request, caller, bounds.unread).catch(fail);
    },
  };
  stream.onClose(() => caller.leave());
}

async function respondUnary(
  stream: ServerStream,
  method: Method,
  bytes: Buffer,
  caller: Caller,
  unread: UnreadAnswers,
): Promise<void> {
  const request = decode(method.request, bytes) as never;
  if (method.mayBeLong?.(request) === true) await unread.nextTurn();
  const answer = await method.unary!(request, caller);
  const message = encode(method.response, answer as object, answerBytesMax);
  unread.add(stream, message.length);
  stream.respond(200, contentType);
  stream.write(frame(message));
  stream.end(succeeded);
}

function answerStreaming(
  stream: ServerStream,
  method: Method,
  bounds: GrpcBounds,
  caller: StreamCaller,
): void {
  const reader = new FrameReader(bounds.messageBytesMax);
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
    send: (response) => stream.write(frame(encode(method.response, response as object))),
    get unsentBytes() {
      return stream.unsentBytes;
    },
    onDrain: (callback) => stream.onDrain(callback),
  };
  method.stream!(call as StreamCall<never, never>).then(
    () => stream.end(succeeded),
    (failure: unknown) => stream.end(statusOf(failure)),
  );
}

/** Answers wait in memory until they are read: who reads none may not ask for ever more of them. */
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
function refuse(stream: ServerStream, failure: unknown): void {
  if (stream.isAnswered) return stream.reset(errorCodes.internal);
  stream.respond(200, { ...contentType, ...statusOf(failure) }, { isLast: true });
}

function statusOf(failure: unknown): Record<string, string> {
  const { code, message } = asGrpcError(failure);
  return { 'grpc-status': String(code), 'grpc-message': escapeMessage(message) };
}

/** What the engine throws becomes etcd's error, here for all methods. */
function asGrpcError(thrown: unknown): GrpcError {
  const failure = asEtcdFailure(thrown);
  if (failure instanceof GrpcError) return failure;
  if (failure instanceof MalformedMessage) {
    return new GrpcError(grpcCodes.internal, `grpc: error unmarshalling request: ${failure.message}`);
  }
  return new GrpcError(grpcCodes.internal, messageOf(failure));
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

/** Most calls never ask for the signal, which costs more to make than the rest of a call. */
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
