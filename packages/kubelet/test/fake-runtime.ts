/** A container runtime in this process: answers the CRI on a socket, keeps what it was asked, runs nothing. */
import { mkdtempSync, rmSync } from 'node:fs';
import {
  createServer,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { FrameReader, frame } from '@coxswain/storage/etcd/grpc-frames.ts';
import { GrpcError, grpcCodes } from '@coxswain/storage/etcd/grpc-status.ts';
import { decode, encode, type Decoded, type Input } from '@coxswain/storage/etcd/wire.ts';
import { criMethods, type CriMethod } from '../src/cri/methods.ts';

type Methods = typeof criMethods;
type RequestOf<M extends keyof Methods> = Methods[M] extends CriMethod<infer I> ? Decoded<I> : never;
type AnswerOf<M extends keyof Methods> = Methods[M] extends CriMethod<infer _I, infer O> ? Input<O> : never;

/** What it answers; a thrown {@link GrpcError} is answered as such. */
export type FakeAnswers = { readonly [M in keyof Methods]?: (request: RequestOf<M>) => AnswerOf<M> };

export interface FakeRuntime {
  readonly endpoint: string;
  /** In the order they came. */
  readonly calls: readonly { readonly method: string; readonly request: unknown }[];
  requests<M extends keyof Methods>(method: M): readonly RequestOf<M>[];
  close(): Promise<void>;
}

const messageBytesMax = 16 * 1024 * 1024;

export async function startFakeRuntime(answers: FakeAnswers): Promise<FakeRuntime> {
  const folder = mkdtempSync(path.join(tmpdir(), 'fake-cri-'));
  const socket = path.join(folder, 'cri.sock');
  const calls: { method: string; request: unknown }[] = [];
  const sessions = new Set<ServerHttp2Session>();
  const byPath = new Map(
    Object.entries(criMethods as Record<string, CriMethod>).map(([name, method]) => [
      method.path,
      { name, method },
    ]),
  );
  const server = createServer();
  server.on('session', (session) => {
    sessions.add(session);
    session.on('close', () => sessions.delete(session));
  });
  server.on('stream', (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => {
    const reader = new FrameReader(messageBytesMax);
    stream.on('data', (chunk: Buffer) => {
      for (const message of reader.push(chunk)) {
        const found = byPath.get(String(headers[':path']));
        const request = found && decode(found.method.request, message);
        if (found !== undefined) calls.push({ method: found.name, request });
        answer(stream, () => {
          const respond =
            found && (answers as Record<string, ((request: unknown) => object) | undefined>)[found.name];
          if (respond === undefined) throw new GrpcError(grpcCodes.unimplemented, 'not implemented');
          return encode(found!.method.response, respond(request));
        });
      }
    });
  });
  await new Promise<void>((resolve) => void server.listen(socket, resolve));
  return {
    endpoint: `unix://${socket}`,
    calls,
    requests: (method) =>
      calls.filter((call) => call.method === method).map(({ request }) => request) as never,
    async close() {
      for (const session of sessions) session.destroy();
      await new Promise((resolve) => server.close(resolve));
      rmSync(folder, { recursive: true });
    },
  };
}

function answer(stream: ServerHttp2Stream, respond: () => Uint8Array): void {
  const head = { ':status': 200, 'content-type': 'application/grpc' };
  try {
    const message = respond();
    stream.respond(head, { waitForTrailers: true });
    stream.once('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
    stream.end(frame(message));
  } catch (error) {
    const { code, message } =
      error instanceof GrpcError ? error : { code: grpcCodes.unknown, message: String(error) };
    stream.respond(
      { ...head, 'grpc-status': String(code), 'grpc-message': encodeURIComponent(message) },
      { endStream: true },
    );
  }
}
