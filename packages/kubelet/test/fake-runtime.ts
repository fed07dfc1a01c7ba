/** A container runtime in this process: answers the CRI on a socket, records requests, and runs nothing. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { GrpcMethod } from '@coxswain/grpc/method.ts';
import { unary, type Method } from '@coxswain/grpc/server/method.ts';
import { serveUnixGrpc } from '@coxswain/grpc/server/serve-unix.ts';
import { GrpcError, grpcCodes } from '@coxswain/grpc/status.ts';
import type { Decoded, Input } from '@coxswain/protobuf';
import { criMethods } from '../src/cri/methods.ts';

type Methods = typeof criMethods;
type RequestOf<M extends keyof Methods> = Methods[M] extends GrpcMethod<infer I> ? Decoded<I> : never;
type AnswerOf<M extends keyof Methods> = Methods[M] extends GrpcMethod<infer _I, infer O> ? Input<O> : never;

/** Its answers; a thrown {@link GrpcError} is returned as such. */
export type FakeAnswers = { readonly [M in keyof Methods]?: (request: RequestOf<M>) => AnswerOf<M> };

export interface FakeRuntime {
  readonly endpoint: string;
  /** In order of arrival. */
  readonly calls: readonly { readonly method: string; readonly request: unknown }[];
  requests<M extends keyof Methods>(method: M): readonly RequestOf<M>[];
  close(): Promise<void>;
}

const messageBytesMax = 16 * 1024 * 1024;

export async function startFakeRuntime(answers: FakeAnswers): Promise<FakeRuntime> {
  const directory = mkdtempSync(path.join(tmpdir(), 'fake-cri-'));
  const socket = path.join(directory, 'cri.sock');
  const calls: { method: string; request: unknown }[] = [];
  const methods = Object.entries(criMethods as Record<string, GrpcMethod>).map(
    ([name, method]): [string, Method] => [
      method.path,
      unary(method.request, method.response, (request) => {
        calls.push({ method: name, request });
        const respond = (answers as Record<string, ((request: unknown) => object) | undefined>)[name];
        if (respond === undefined) throw new GrpcError(grpcCodes.unimplemented, 'not implemented');
        return respond(request);
      }),
    ],
  );
  const server = await serveUnixGrpc(socket, Object.fromEntries(methods), { messageBytesMax });
  return {
    endpoint: `unix://${socket}`,
    calls,
    requests: (method) =>
      calls.filter((call) => call.method === method).map(({ request }) => request) as never,
    async close() {
      await server.close();
      rmSync(directory, { recursive: true });
    },
  };
}
