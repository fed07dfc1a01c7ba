/** Connections as a network policy judges them, independently of what simulates the network. */

import type { Pod } from '@coxswain/api/core/v1/pod.ts';

/** The first packet of a connection, after the translation of Service addresses. */
export interface Flow {
  readonly from: FlowEnd;
  readonly to: FlowEnd;
  readonly protocol: 'TCP' | 'UDP';
  /** The destination. */
  readonly port: number;
}

export interface FlowEnd {
  readonly address: string;
  /** Undefined if the end is not a pod. */
  readonly pod?: Pod | undefined;
}

/** Whether the packet is allowed. A packet that is not allowed gets no response. */
export type FlowJudge = (flow: Flow) => Promise<boolean>;

export const everythingPasses: FlowJudge = async () => true;

/** A connection as its sender requests it. */
export interface Connection {
  readonly from: FlowEnd;
  readonly address: string;
  readonly port: number;
}

/** The endpoint that a Service chooses for a connection. */
export type Route =
  /** No Service has that address; the destination stays as it is. */
  | { readonly kind: 'direct' }
  | { readonly kind: 'endpoint'; readonly address: string; readonly port: number }
  | { readonly kind: 'refused' }
  /** The packets are dropped. */
  | { readonly kind: 'dropped' };

export type ServiceRouter = (connection: Connection) => Promise<Route>;

/** For a cluster without Services. */
export const noServices: ServiceRouter = async () => ({ kind: 'direct' });
