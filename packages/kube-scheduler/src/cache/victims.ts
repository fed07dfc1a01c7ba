import type { PodInfo } from './pod-info.ts';

/** Who would have to go from a node. */
export interface NodeVictims {
  /** Most important first. */
  readonly victims: readonly PodInfo[];
  readonly budgetViolations: number;
}

export interface Victims extends NodeVictims {
  /** What nodes are compared by; smaller is better, each only decides where those before it leave a tie. */
  readonly costs: readonly number[];
}
