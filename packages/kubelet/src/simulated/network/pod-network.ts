/** The network of one cluster, as commands in the containers of its simulated pods see it. */

import type { Pod } from '@coxswain/api/core/v1/pod.ts';

/** What a pod with these addresses sees. */
export type SimulatedNetwork = (pod: Pod, addresses: readonly string[]) => PodNetwork;

export interface PodNetwork {
  /** Tried along the pod's search path. Undefined for a name that nobody knows. @throws NoResponse */
  lookUp(name: string): Promise<Host | undefined>;
  /** The names of an address. @throws NoResponse */
  namesOf(address: string): Promise<readonly string[]>;
  /** @throws NetworkFailure when nothing listens there; NoResponse when nobody says so */
  connect(address: string, port: number): Promise<Listener>;
}

export interface Host {
  /** In full. */
  readonly name: string;
  readonly addresses: readonly string[];
}

export interface Listener {
  readonly pod: Pod;
  readonly container: string;
  readonly port: number;
}

/** Its message is what C libraries say. */
export class NetworkFailure extends Error {}

/** What was sent is lost on its way: whoever waits for an answer may wait for as long as it likes. */
export class NoResponse extends NetworkFailure {
  constructor() {
    super('Connection timed out');
  }
}

/** A network in which there is nothing. */
export const noNetwork: SimulatedNetwork = () => ({
  lookUp: async () => undefined,
  namesOf: async () => [],
  connect: async () => {
    throw new NetworkFailure('Network is unreachable');
  },
});
