/** A connection to a container runtime, by its socket: each call of {@link criMethods} as a function. */
import type { Clock } from '@coxswain/apimachinery';
import { answersOf, grpcClient, type GrpcCalls } from '@coxswain/grpc/client/client.ts';
import type { Decoded } from '@coxswain/protobuf';
import type { ContainerEvent } from './container-messages.ts';
import { containerEvents, criMethods } from './methods.ts';

export type Cri = GrpcCalls<typeof criMethods> & {
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
  const client = grpcClient(criMethods, {
    endpoints: [endpoint],
    service: 'container runtime',
    clock,
    timeoutMs,
  });
  return {
    ...client,
    containerEvents: (signal) => answersOf(client.channel, containerEvents, {}, signal),
  };
}
