/** Calls of a plugin behind a unix socket, from tables of its methods. */
import type { Clock } from '@coxswain/apimachinery';
import { GrpcChannel } from '@coxswain/storage/etcd/grpc-channel.ts';
import { decode, encode, type Decoded, type Input, type MessageTable } from '@coxswain/storage/etcd/wire.ts';

export interface PluginMethod<I extends MessageTable = MessageTable, O extends MessageTable = MessageTable> {
  readonly path: string;
  readonly request: I;
  readonly response: O;
}

/** Each method of a table as a function; failures are GrpcErrors. */
export type PluginCalls<T> = {
  readonly [M in keyof T]: T[M] extends PluginMethod<infer I, infer O>
    ? (request: Input<I>, timeoutMs?: number) => Promise<Decoded<O>>
    : never;
};

export type PluginClient<T> = PluginCalls<T> & {
  readonly channel: GrpcChannel;
  close(): void;
};

export const pluginMethods =
  (service: string) =>
  <I extends MessageTable, O extends MessageTable>(
    name: string,
    request: I,
    response: O,
  ): PluginMethod<I, O> => ({ path: `/${service}/${name}`, request, response });

export interface PluginClientOptions {
  readonly socketPath: string;
  /** What it is, for messages. */
  readonly service: string;
  readonly clock: Clock;
  /** Of calls that name none. */
  readonly timeoutMs: number;
}

/** Opens no connection before the first call. */
export function pluginClient<T extends Readonly<Record<string, PluginMethod>>>(
  methods: T,
  { socketPath, service, clock, timeoutMs }: PluginClientOptions,
): PluginClient<T> {
  const channel = new GrpcChannel({ endpoints: [`unix://${socketPath}`], service, clock, timeoutMs });
  const calls = Object.entries(methods).map(([name, { path, request, response }]) => [
    name,
    async (message: Input<typeof request>, callMs = timeoutMs) =>
      decode(response, await channel.unary(path, encode(request, message), { timeoutMs: callMs })),
  ]);
  return {
    ...(Object.fromEntries(calls) as PluginCalls<T>),
    channel,
    close: () => channel.close(),
  };
}
