/** Stands between a kubelet and its container runtime: passes every call on, and notes what was asked. */
import { connect, type IncomingHttpHeaders } from 'node:http2';
import { connect as connectSocket } from 'node:net';
import { criMethods } from '@coxswain/kubelet/cri/methods.ts';
import { serveUnixHttp2 } from './unix-http2-server.ts';
import { FrameReader } from '@coxswain/grpc/frames.ts';
import type { GrpcMethod } from '@coxswain/grpc/method.ts';
import { decode, type MessageTable } from '@coxswain/protobuf';
import { undescribedFields } from './undescribed-fields.ts';

/** One call, in the order in which they were made. */
export interface CriCall {
  /** `CreateContainer` */
  readonly name: string;
  readonly atMs: number;
  /** What was set: zero and empty fields are left out. */
  readonly request: unknown;
  /** Paths of field numbers that our tables don't describe: what they say is not in `request`. */
  readonly undescribed: readonly string[];
  response?: unknown;
  /** Of gRPC; 0 when it went well. */
  code?: number;
}

export interface CriRecorder {
  readonly endpoint: string;
  readonly calls: readonly CriCall[];
  close(): Promise<void>;
}

const messageBytesMax = 64 * 1024 * 1024;

const byPath: ReadonlyMap<string, GrpcMethod> = new Map(
  Object.values(criMethods as Readonly<Record<string, GrpcMethod>>).map((method) => [method.path, method]),
);

/** @param runtime the socket's path @param socketPath where kubelets are to connect */
export async function recordCri(runtime: string, socketPath: string): Promise<CriRecorder> {
  const calls: CriCall[] = [];
  const upstream = connect('http://localhost', { createConnection: () => connectSocket(runtime) });
  upstream.on('error', () => undefined);
  const server = await serveUnixHttp2(socketPath, (stream, headers) => {
    const call = noted(String(headers[':path']), calls);
    const onward = upstream.request(onwardHeaders(headers));
    const asked = new FrameReader(messageBytesMax);
    const answered = new FrameReader(messageBytesMax);
    stream.on('error', () => onward.close());
    onward.on('error', () => stream.close());
    stream.on('close', () => onward.close());
    stream.on('data', (chunk: Buffer) => {
      for (const message of asked.push(chunk)) call.asked(message);
      onward.write(chunk);
    });
    stream.on('end', () => onward.end());
    let trailers: IncomingHttpHeaders = {};
    onward.on('response', (answer) => {
      if (stream.destroyed) return;
      if (answer['grpc-status'] !== undefined) {
        // Refused without a message: gRPC sends the trailers alone.
        call.ended(Number(answer['grpc-status']));
        stream.respond(plain(answer), { endStream: true });
        return;
      }
      stream.respond(plain(answer), { waitForTrailers: true });
      stream.on('wantTrailers', () => stream.sendTrailers(plain(trailers)));
    });
    onward.on('data', (chunk: Buffer) => {
      for (const message of answered.push(chunk)) call.answered(message);
      if (!stream.destroyed && !stream.writableEnded) stream.write(chunk);
    });
    onward.on('trailers', (last) => {
      trailers = last;
      call.ended(Number(last['grpc-status'] ?? 0));
    });
    onward.on('end', () => {
      if (!stream.destroyed && !stream.writableEnded) stream.end();
    });
  });
  return {
    endpoint: `unix://${socketPath}`,
    calls,
    async close() {
      upstream.destroy();
      await server.close();
    },
  };
}

function noted(path: string, calls: CriCall[]) {
  const method = byPath.get(path);
  let call: CriCall | undefined;
  return {
    asked(message: Uint8Array) {
      call = {
        name: path.split('/').at(-1) ?? path,
        atMs: performance.now(),
        request: method === undefined ? {} : setFields(decode(method.request, message)),
        undescribed: undescribedFields(method?.request ?? noTable, message),
      };
      calls.push(call);
    },
    answered(message: Uint8Array) {
      if (call !== undefined && method !== undefined)
        call.response = setFields(decode(method.response, message));
    },
    ended(code: number) {
      if (call !== undefined) call.code = code;
    },
  };
}

const noTable: MessageTable = {};

const plain = (headers: IncomingHttpHeaders): Record<string, string | string[]> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );

const onwardHeaders = (headers: IncomingHttpHeaders): Record<string, string | string[]> => ({
  ...plain(headers),
  ':authority': 'localhost',
});

/** Without what proto3 doesn't send either, and lists of pairs as objects, since their order is that of a Go map. */
function setFields(value: unknown): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString();
  if (Array.isArray(value)) {
    const list: readonly unknown[] = value;
    return isPairs(list) ? objectOf(list) : list.map(setFields);
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, each]) => (isUnset(each) ? [] : [[name, setFields(each)]])),
  );
}

interface Pair {
  readonly key: string;
  readonly value: string;
}

const isPairs = (values: readonly unknown[]): values is readonly Pair[] =>
  values.every(
    (each) => typeof each === 'object' && each !== null && Object.keys(each).join() === 'key,value',
  );

const objectOf = (pairs: readonly Pair[]) =>
  Object.fromEntries(
    pairs.map(({ key, value }) => [key, value] as const).sort(([a], [b]) => (a < b ? -1 : 1)),
  );

const isUnset = (value: unknown): boolean =>
  value === undefined ||
  value === 0 ||
  value === '' ||
  value === false ||
  ((Array.isArray(value) || value instanceof Uint8Array) && value.length === 0);
