/** Answers gRPC calls on a unix socket: what plugins of this machine ask of the kubelet. */
import type { ServerHttp2Stream } from 'node:http2';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { FrameReader, frame } from '@coxswain/storage/etcd/grpc-frames.ts';
import { GrpcError, grpcCodes } from '@coxswain/storage/etcd/grpc-status.ts';
import { decode, encode, type Decoded, type Input, type MessageTable } from '@coxswain/storage/etcd/wire.ts';
import { serveUnixHttp2, type UnixHttp2Server } from './unix-http2-server.ts';

/** By path, such as `/v1beta1.Registration/Register`. */
export type GrpcMethods = ReadonlyMap<string, GrpcMethod>;

export interface GrpcMethod {
  readonly path: string;
  /** Answers until it returns; each piece is an encoded message. */
  answer(request: Uint8Array, signal: AbortSignal): AsyncIterable<Uint8Array>;
}

/** Of a request; gRPC's own default. */
const requestBytesMax = 4 * 1024 * 1024;

export const methodsOf = (methods: readonly GrpcMethod[]): GrpcMethods =>
  new Map(methods.map((method) => [method.path, method]));

/** One request, one answer. */
export function unaryMethod<I extends MessageTable, O extends MessageTable>(
  path: string,
  request: I,
  response: O,
  answer: (message: Decoded<I>) => Promise<Input<O>>,
): GrpcMethod {
  return {
    path,
    async *answer(bytes) {
      yield encode(response, await answer(decode(request, bytes)));
    },
  };
}

/** One request, answers until the signal aborts. */
export function streamMethod<I extends MessageTable, O extends MessageTable>(
  path: string,
  request: I,
  response: O,
  answers: (message: Decoded<I>, signal: AbortSignal) => AsyncIterable<Input<O>>,
): GrpcMethod {
  return {
    path,
    async *answer(bytes, signal) {
      for await (const message of answers(decode(request, bytes), signal)) yield encode(response, message);
    },
  };
}

/** @throws what the operating system says, such as EADDRINUSE */
export const serveUnixGrpc = (socketPath: string, methods: GrpcMethods): Promise<UnixHttp2Server> =>
  serveUnixHttp2(socketPath, (stream, headers) => {
    stream.on('error', () => undefined);
    void answerStream(stream, methods.get(String(headers[':path'])));
  });

async function answerStream(stream: ServerHttp2Stream, method: GrpcMethod | undefined): Promise<void> {
  const stopping = new AbortController();
  stream.on('close', () => stopping.abort());
  let status: Record<string, string> = { 'grpc-status': String(grpcCodes.ok) };
  stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
  stream.on('wantTrailers', () => stream.sendTrailers(status));
  try {
    if (method === undefined) throw new GrpcError(grpcCodes.unimplemented, 'unknown service or method');
    for await (const message of method.answer(await requestOf(stream), stopping.signal)) {
      if (stream.destroyed) return;
      stream.write(frame(message));
    }
  } catch (error) {
    status = statusOf(error);
  }
  if (!stream.destroyed) stream.end();
}

/** Not by iteration, whose end would end the stream. */
function requestOf(stream: ServerHttp2Stream): Promise<Uint8Array> {
  const reader = new FrameReader(requestBytesMax);
  return new Promise((resolve, reject) => {
    stream.on('data', (chunk: Buffer) => {
      try {
        const [message] = reader.push(chunk);
        if (message !== undefined) resolve(message);
      } catch (error) {
        reject(error);
      }
    });
    const ended = (): void => reject(new GrpcError(grpcCodes.internal, 'the request has no message'));
    stream.on('end', ended);
    stream.on('close', ended);
  });
}

function statusOf(error: unknown): Record<string, string> {
  const code = error instanceof GrpcError ? error.code : grpcCodes.unknown;
  const message = messageOf(error);
  return { 'grpc-status': String(code), 'grpc-message': encodeURIComponent(message) };
}
