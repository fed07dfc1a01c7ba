/**
 * Caches the results of nodes for pods of one shape, for the next similar pod: an unchanged node gives the same result
 * to replicas of one template. Only results that depend on nothing but pod and node can be cached.
 */
import type { Rejection } from '../status.ts';
import type { Victims } from './victims.ts';
import type { NodeInfo } from './node-info.ts';
import { NumbersOfNodes } from './numbers-of-nodes.ts';
import type { PodInfo } from './pod-info.ts';

export interface Refusal {
  readonly status: Rejection;
  readonly plugin?: string;
}

/** The victims on a node, or why preemption would not help. */
export type VictimsOrNot = Victims | Rejection | 'nobody';

/** What is cached for one node. */
interface KnownOfNode {
  readonly version: number;
  /** The pods nominated to the node at that time. */
  readonly promised: readonly PodInfo[];
  refusal?: Refusal;
  victims?: VictimsOrNot;
}

/** The cached results for pods of one shape. */
export class ShapeResults {
  readonly #fitting = new NumbersOfNodes();
  readonly #known: (KnownOfNode | undefined)[] = [];
  readonly #scores = new Map<string, NumbersOfNodes>();

  /** Whether the pod is known to pass all filters that depend on the node alone; false if unknown. */
  fitsOn(node: NodeInfo): boolean {
    return this.#fitting.get(node) !== undefined;
  }

  keepFits(node: NodeInfo): void {
    this.#fitting.keep(node, 1);
  }

  refusal(node: NodeInfo, promised: readonly PodInfo[]): Refusal | undefined {
    return this.#knownOf(node, promised)?.refusal;
  }

  keepRefusal(node: NodeInfo, promised: readonly PodInfo[], refusal: Refusal): void {
    this.#entry(node, promised).refusal = refusal;
  }

  victims(node: NodeInfo, promised: readonly PodInfo[]): VictimsOrNot | undefined {
    return this.#knownOf(node, promised)?.victims;
  }

  keepVictims(node: NodeInfo, promised: readonly PodInfo[], victims: VictimsOrNot): void {
    this.#entry(node, promised).victims = victims;
  }

  scoresBy(plugin: string): NumbersOfNodes {
    let scores = this.#scores.get(plugin);
    if (scores === undefined) this.#scores.set(plugin, (scores = new NumbersOfNodes()));
    return scores;
  }

  #knownOf({ slot, version }: NodeInfo, promised: readonly PodInfo[]): KnownOfNode | undefined {
    const known = this.#known[slot];
    return known?.version === version && known.promised === promised ? known : undefined;
  }

  #entry(node: NodeInfo, promised: readonly PodInfo[]): KnownOfNode {
    let known = this.#knownOf(node, promised);
    if (known === undefined) {
      known = { version: node.version, promised };
      while (this.#known.length <= node.slot) this.#known.push(undefined);
      this.#known[node.slot] = known;
    }
    return known;
  }
}

/** The maximum number of shapes; the least recently used are dropped. With 5,000 nodes, each takes up to 1 MB. */
const shapesMax = 32;

/** The results for all recent shapes. */
export class ResultsByShape {
  readonly #shapes = new Map<string, ShapeResults>();

  of(shape: string): ShapeResults {
    const answers = this.#shapes.get(shape) ?? new ShapeResults();
    this.#shapes.delete(shape);
    this.#shapes.set(shape, answers);
    if (this.#shapes.size > shapesMax) this.#shapes.delete(this.#shapes.keys().next().value!);
    return answers;
  }
}
