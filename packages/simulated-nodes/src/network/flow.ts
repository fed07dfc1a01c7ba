/** What passes a network: who decides over it need not know what simulates it. */

import type { Pod } from '@coxswain/api/core/v1/pod.ts';

/** The first packet of a connection, behind the Services that it was sent to. */
export interface Flow {
  readonly from: FlowEnd;
  readonly to: FlowEnd;
  readonly protocol: 'TCP' | 'UDP';
  /** Where it goes. */
  readonly port: number;
}

export interface FlowEnd {
  readonly address: string;
  /** Absent for what is no pod. */
  readonly pod?: Pod | undefined;
}

/** Whether it may pass. What may not gets no answer at all. */
export type FlowJudge = (flow: Flow) => Promise<boolean>;

export const everythingPasses: FlowJudge = async () => true;

/** A connection as its sender asks for it. */
export interface Connection {
  readonly from: FlowEnd;
  readonly address: string;
  readonly port: number;
}

/** Where Services send a connection. */
export type Route =
  /** No Service has that address: it goes where it was sent. */
  | { readonly kind: 'direct' }
  | { readonly kind: 'endpoint'; readonly address: string; readonly port: number }
  | { readonly kind: 'refused' }
  /** Its packets are lost. */
  | { readonly kind: 'dropped' };

export type ServiceRouter = (connection: Connection) => Promise<Route>;

/** In a cluster without Services. */
export const noServices: ServiceRouter = async () => ({ kind: 'direct' });
