/** A scheduler's second opinion: another program that filters, scores, preempts or binds. */
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { NodeInfo } from '../cache/node-info.ts';
import type { NodeVictims } from '../cache/victims.ts';

export interface Extender {
  /** Its address. */
  readonly name: string;
  /** Whether pods are scheduled without it where it fails. */
  readonly isIgnorable: boolean;
  isInterested(pod: Pod): boolean;
  /** Which of the nodes the pod may go to. Each call rejects with an Error whose text tells users what went wrong. */
  filter?(pod: Pod, nodes: readonly NodeInfo[]): Promise<FilterAnswer>;
  /** By the node's name, from 0 to 100 for each unit of the extender's weight; nodes without one get nothing. */
  prioritize?(pod: Pod, nodes: readonly NodeInfo[]): Promise<ReadonlyMap<string, number>>;
  /** Which of the nodes are to be freed for the pod, and of whom. */
  preempt?(pod: Pod, victims: VictimsByNode, nodes: NodesByName): Promise<VictimsByNode>;
  bind?(pod: Pod, nodeName: string): Promise<void>;
  close?(): Promise<void>;
}

export interface FilterAnswer {
  readonly fitting: readonly NodeInfo[];
  /** Why other nodes are none, by name; preemption may help there. */
  readonly failed: Readonly<Record<string, string>>;
  /** The same, where preemption is no use. */
  readonly unresolvable: Readonly<Record<string, string>>;
}

export type VictimsByNode = ReadonlyMap<string, NodeVictims>;
export type NodesByName = (name: string) => NodeInfo | undefined;

/** Stands for all extenders where plugins are named that refused a pod. Any change is worth another try then. */
export const extenderPluginName = 'Extender';
