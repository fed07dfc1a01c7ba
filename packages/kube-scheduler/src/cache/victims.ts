import type { PodInfo } from './pod-info.ts';

/** The pods that would have to be evicted from a node. */
export interface NodeVictims {
  /** Highest priority first. */
  readonly victims: readonly PodInfo[];
  readonly budgetViolations: number;
}

export interface Victims extends NodeVictims {
  /** The criteria for comparing nodes; smaller is better, and each decides only ties of those before it. */
  readonly costs: readonly number[];
}
