/** The network of one cluster, as commands in the containers of its simulated pods see it. */

import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { HttpServer } from './http-message.ts';

/** What a pod with these addresses sees. */
export type SimulatedNetwork = (pod: Pod, addresses: readonly string[]) => PodNetwork;

export interface PodNetwork {
  /** Tried along the pod's search path. Undefined for a name that nobody knows. @throws NoResponse */
  lookUp(name: string): Promise<Host | undefined>;
  /** The names of an address. @throws NoResponse */
  namesOf(address: string): Promise<readonly string[]>;
  /** @throws NetworkFailure when nothing listens there; NoResponse when nobody says so */
  connect(address: string, port: number): Promise<HttpServer>;
}

export interface Host {
  /** In full. */
  readonly name: string;
  readonly addresses: readonly string[];
}

/** Its message is what C libraries say. */
export class NetworkFailure extends Error {}

/** What was sent is lost on its way: whoever waits for an answer may wait for as long as it likes. */
export class NoResponse extends NetworkFailure {
  constructor() {
    super('Connection timed out');
  }
}

/** The other end broke off: its container has ended, or its program does what no client takes. */
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

/** A failure in the words of Go's dialer; undefined for one that it doesn't have. @param address with its port */
export function dialFailure(failure: unknown, address: string): string | undefined {
  const known = dialFailures[messageOf(failure)];
  return known && `dial tcp ${address}: ${known}`;
}

/** A network in which there is nothing. */
export const noNetwork: SimulatedNetwork = () => ({
  lookUp: async () => undefined,
  namesOf: async () => [],
  connect: async () => {
    throw new NetworkFailure('Network is unreachable');
  },
});
