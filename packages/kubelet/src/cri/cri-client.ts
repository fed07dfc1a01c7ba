/** A connection to a container runtime through its socket: each of {@link criMethods} as a function. */
import type { Clock } from '@coxswain/apimachinery';
import { answersOf, grpcClient, type GrpcCalls } from '@coxswain/grpc/client/client.ts';
import type { Decoded } from '@coxswain/protobuf';
import type { ContainerEvent } from './container-messages.ts';
import { containerEvents, criMethods } from './methods.ts';

export type Cri = GrpcCalls<typeof criMethods> & {
  /** Ends when the runtime stops; throws at once if it doesn't support events. */
  containerEvents(signal: AbortSignal): AsyncIterable<Decoded<typeof ContainerEvent>>;
  close(): void;
};

export interface CriClientOptions {
  /** `unix:///run/containerd/containerd.sock` */
  readonly endpoint: string;
  readonly clock: Clock;
  /** The default timeout of calls. */
  readonly timeoutMs?: number;
}

/** The default of upstream's `--runtime-request-timeout`. */
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
