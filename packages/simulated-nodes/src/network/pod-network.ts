/** The network of one cluster, as commands in the containers of its simulated pods see it. */

import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { HttpServer } from './http-message.ts';

/** The view of a pod with these addresses. */
export type SimulatedNetwork = (pod: Pod, addresses: readonly string[]) => PodNetwork;

export interface PodNetwork {
  /** Tries the pod's search path. Returns undefined for an unknown name. @throws NoResponse */
  lookUp(name: string): Promise<Host | undefined>;
  /** Reverse lookup of an address. @throws NoResponse */
  namesOf(address: string): Promise<readonly string[]>;
  /**
   * @param isSecure whether the client speaks TLS, which only the programs of defined images do. Nothing is encrypted, and
   *   no certificate is verified
   * @throws NetworkFailure if nothing listens there; NoResponse if packets are dropped
   */
  connect(address: string, port: number, isSecure?: boolean): Promise<HttpServer>;
}

/** The network as the cluster itself sees it. */
export interface RoutedNetwork extends PodNetwork {
  /**
   * Where a connection ends: at an endpoint of the Service that has the address, or at the address itself.
   * @throws NetworkFailure if the Service has no endpoint; NoResponse if packets are dropped
   */
  route(address: string, port: number): Promise<Place>;
}

export interface Place {
  readonly address: string;
  readonly port: number;
}

export interface Host {
  /** The fully qualified name. */
  readonly name: string;
  readonly addresses: readonly string[];
}

/** The message is that of the C library. */
export class NetworkFailure extends Error {}

/** The packets were dropped. How long to wait for a response is up to the caller. */
export class NoResponse extends NetworkFailure {
  constructor() {
    super('Connection timed out');
  }
}

/** The peer aborted: its container has ended, or its program sent something that no client accepts. */
export class ConnectionReset extends NetworkFailure {
  constructor() {
    super('Connection reset by peer');
  }
}

const dialFailures: Readonly<Record<string, string>> = {
  'Connection refused': 'connect: connection refused',
  'Host is unreachable': 'connect: no route to host',
  'Connection timed out': 'i/o timeout',
};

/** The failure in the words of Go's dialer; undefined if Go has none for it. @param address with its port */
export function dialFailure(failure: unknown, address: string): string | undefined {
  const known = dialFailures[messageOf(failure)];
  return known && `dial tcp ${address}: ${known}`;
}

/** An empty network. */
export const noNetwork: SimulatedNetwork = () => ({
  lookUp: async () => undefined,
  namesOf: async () => [],
  connect: async () => {
    throw new NetworkFailure('Network is unreachable');
  },
});
