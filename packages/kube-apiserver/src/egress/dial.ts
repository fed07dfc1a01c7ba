/** The routes of outgoing connections, by destination. */
import type { Socket } from 'node:net';
import type { Metrics } from '@coxswain/apimachinery/metrics/metrics.ts';

/** Opens a connection to an address. @throws Error with the message of upstream's dialers */
export type Dial = (host: string, port: number) => Promise<Socket>;

/** Upstream's egress types: other servers of the control plane, the store, and the cluster (nodes, pods, services). */
export type EgressName = 'controlplane' | 'etcd' | 'cluster';

export interface EgressSelector {
  /** Undefined for a direct connection. */
  dialOf(name: EgressName): Dial | undefined;
  /** Whether the configuration mentions it. */
  isSaid(name: EgressName): boolean;
  /** Starts recording metrics of dials. */
  countIn(metrics: Metrics): void;
}
