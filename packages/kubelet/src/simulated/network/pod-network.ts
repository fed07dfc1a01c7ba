/** The network of one cluster, as commands in the containers of its simulated pods see it. */

import type { Pod } from '@coxswain/api/core/v1/pod.ts';

/** What a pod with these addresses sees. */
export type SimulatedNetwork = (pod: Pod, addresses: readonly string[]) => PodNetwork;

export interface PodNetwork {
  /** Tried along the pod's search path. Undefined for a name that nobody knows. */
  lookUp(name: string): Promise<Host | undefined>;
  /** The names of an address. */
  namesOf(address: string): Promise<readonly string[]>;
  /** @throws NetworkFailure when nothing listens there */
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

/** A network in which there is nothing. */
export const noNetwork: SimulatedNetwork = () => ({
  lookUp: async () => undefined,
  namesOf: async () => [],
  connect: async () => {
    throw new NetworkFailure('Network is unreachable');
  },
});

/** Where the name server of a cluster is, as kubeadm and our clusters have it. */
export const nameServerAddress = '10.96.0.10';
