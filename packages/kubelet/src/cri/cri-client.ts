/** A connection to a container runtime, by its socket: each call of {@link criMethods} as a function. */
import type { Clock } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { GrpcChannel } from '@coxswain/storage/etcd/grpc-channel.ts';
import { GrpcError, grpcCodes } from '@coxswain/storage/etcd/grpc-status.ts';
import { decode, encode, type Decoded, type Input } from '@coxswain/storage/etcd/wire.ts';
import type { ContainerEvent } from './container-messages.ts';
import { containerEvents, criMethods, type CriMethod } from './methods.ts';

export interface CriCallOptions {
  /** Until the call is given up; as long as `--runtime-request-timeout` says when absent. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

/** Failures are {@link GrpcError}s, in the words of {@link criFailureText}. */
export type Cri = {
  readonly [M in keyof typeof criMethods]: (typeof criMethods)[M] extends CriMethod<infer I, infer O>
    ? (request: Input<I>, options?: CriCallOptions) => Promise<Decoded<O>>
    : never;
} & {
  /** Ends when the runtime goes; throws at once when it has no events. */
  containerEvents(signal: AbortSignal): AsyncIterable<Decoded<typeof ContainerEvent>>;
  close(): void;
};

export interface CriClientOptions {
  /** `unix:///run/containerd/containerd.sock` */
  readonly endpoint: string;
  readonly clock: Clock;
  /** Of calls that name none. */
  readonly timeoutMs?: number;
}

/** The original's `--runtime-request-timeout`. */
export const requestTimeoutMsDefault = 120_000;

export function connectCri({ endpoint, clock, timeoutMs = requestTimeoutMsDefault }: CriClientOptions): Cri {
  const channel = new GrpcChannel({ endpoints: [endpoint], service: 'container runtime', clock, timeoutMs });
  const calls = Object.entries(criMethods as Readonly<Record<string, CriMethod>>).map(
    ([name, { path, request, response }]) => [
      name,
      async (message: Input<typeof request>, options: CriCallOptions = {}) =>
        decode(response, await channel.unary(path, encode(request, message), options)),
    ],
  );
  return {
    ...(Object.fromEntries(calls) as unknown as Omit<Cri, 'containerEvents' | 'close'>),
    containerEvents: (signal) => eventsOf(channel, signal),
    close: () => channel.close(),
  };
}

async function* eventsOf(
  channel: GrpcChannel,
  signal: AbortSignal,
): AsyncGenerator<Decoded<typeof ContainerEvent>> {
  const stream = await channel.stream(containerEvents.path);
  const cancel = (): void => stream.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    stream.send(encode(containerEvents.request, {}));
    stream.end();
    for await (const message of stream) yield decode(containerEvents.response, message);
  } finally {
    signal.removeEventListener('abort', cancel);
    cancel();
  }
}

/** Go's text of a failed call: `rpc error: code = NotFound desc = …` */
export function criFailureText(error: unknown): string {
  if (!(error instanceof GrpcError)) return messageOf(error);
  return `rpc error: code = ${codeNames.get(error.code) ?? `Code(${error.code})`} desc = ${error.message}`;
}

/** `NotFound`, and `Unknown` for what is no answer of the runtime. */
export const codeText = (error: unknown): string =>
  (error instanceof GrpcError ? codeNames.get(error.code) : undefined) ?? 'Unknown';

export const isNotFound = (error: unknown): boolean =>
  error instanceof GrpcError && error.code === grpcCodes.notFound;

export const isUnimplemented = (error: unknown): boolean =>
  error instanceof GrpcError && error.code === grpcCodes.unimplemented;

const codeNames = new Map<number, string>([
  [0, 'OK'],
  [1, 'Canceled'],
  [2, 'Unknown'],
  [3, 'InvalidArgument'],
  [4, 'DeadlineExceeded'],
  [5, 'NotFound'],
  [6, 'AlreadyExists'],
  [7, 'PermissionDenied'],
  [8, 'ResourceExhausted'],
  [9, 'FailedPrecondition'],
  [10, 'Aborted'],
  [11, 'OutOfRange'],
  [12, 'Unimplemented'],
  [13, 'Internal'],
  [14, 'Unavailable'],
  [15, 'DataLoss'],
  [16, 'Unauthenticated'],
]);
