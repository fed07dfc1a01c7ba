/** A scheduler extender: another program that filters, scores, preempts or binds. */
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { NodeInfo } from '../cache/node-info.ts';
import type { NodeVictims } from '../cache/victims.ts';

export interface Extender {
  /** Its address. */
  readonly name: string;
  /** Whether its failure does not prevent scheduling. */
  readonly isIgnorable: boolean;
  isInterested(pod: Pod): boolean;
  /** Returns the nodes that the pod may use. Each method rejects with an Error whose message is shown to users. */
  filter?(pod: Pod, nodes: readonly NodeInfo[]): Promise<FilterResult>;
  /** Scores by node name, from 0 to 100 per unit of the extender's weight; other nodes get nothing. */
  prioritize?(pod: Pod, nodes: readonly NodeInfo[]): Promise<ReadonlyMap<string, number>>;
  /** Returns the nodes on which to preempt, and the victims there. */
  preempt?(pod: Pod, victims: VictimsByNode, nodes: NodesByName): Promise<VictimsByNode>;
  bind?(pod: Pod, nodeName: string): Promise<void>;
  close?(): Promise<void>;
}

export interface FilterResult {
  readonly fitting: readonly NodeInfo[];
  /** Why other nodes are excluded, by name; preemption may help there. */
  readonly failed: Readonly<Record<string, string>>;
  /** The same for nodes where preemption can't help. */
  readonly unresolvable: Readonly<Record<string, string>>;
}

export type VictimsByNode = ReadonlyMap<string, NodeVictims>;
export type NodesByName = (name: string) => NodeInfo | undefined;

/** Represents all extenders among the plugins that refused a pod. Any change is then worth a retry. */
export const extenderPluginName = 'Extender';
