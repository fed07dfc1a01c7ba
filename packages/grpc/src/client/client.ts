/** The methods of a service as functions on a channel. */
import { decode, encode, type Decoded, type Input, type MessageTable } from '@coxswain/protobuf';
import type { GrpcMethod } from '../method.ts';
import { GrpcChannel, type CallOptions, type ChannelOptions } from './channel.ts';

/** One request, one response; failures are GrpcErrors. */
export type GrpcCalls<T> = {
  readonly [M in keyof T]: T[M] extends GrpcMethod<infer I, infer O>
    ? (request: Input<I>, options?: CallOptions) => Promise<Decoded<O>>
    : never;
};

export type GrpcClient<T> = GrpcCalls<T> & {
  readonly channel: GrpcChannel;
  close(): void;
};

/** No connection is opened before the first call. */
export function grpcClient<T extends Readonly<Record<string, GrpcMethod>>>(
  methods: T,
  options: ChannelOptions,
): GrpcClient<T> {
  const channel = new GrpcChannel(options);
  const calls = Object.entries(methods).map(([name, { path, request, response }]) => [
    name,
    async (message: Input<typeof request>, callOptions?: CallOptions) =>
      decode(response, await channel.unary(path, encode(request, message), callOptions)),
  ]);
  return {
    ...(Object.fromEntries(calls) as GrpcCalls<T>),
    channel,
    close: () => channel.close(),
  };
}

/** The responses to one request, until the stream ends or the signal aborts. @throws GrpcError */
export async function* answersOf<I extends MessageTable, O extends MessageTable>(
  channel: GrpcChannel,
  method: GrpcMethod<I, O>,
  request: Input<I>,
  signal: AbortSignal,
): AsyncGenerator<Decoded<O>, void, void> {
  const stream = await channel.stream(method.path);
  const cancel = (): void => stream.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  if (signal.aborted) cancel();
  try {
    stream.send(encode(method.request, request));
    stream.end();
    for await (const message of stream) yield decode(method.response, message);
  } finally {
    signal.removeEventListener('abort', cancel);
    cancel();
  }
}
