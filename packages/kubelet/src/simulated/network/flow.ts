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
