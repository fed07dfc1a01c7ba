/** Ways out of this server: whom it connects to, and through what. */
import type { Socket } from 'node:net';
import type { Metrics } from '@coxswain/apimachinery/metrics/metrics.ts';

/** Opens a connection to an address. @throws Error in the words of the original's dialers */
export type Dial = (host: string, port: number) => Promise<Socket>;

/** The original's three: other servers of the control plane, the store, and what the cluster runs (nodes, pods, services). */
export type EgressName = 'controlplane' | 'etcd' | 'cluster';

export interface EgressSelector {
  /** Undefined: straight ahead. */
  dialOf(name: EgressName): Dial | undefined;
  /** Whether the operator has said anything of it. */
  isSaid(name: EgressName): boolean;
  /** From then on dials are counted. */
  countIn(metrics: Metrics): void;
}
