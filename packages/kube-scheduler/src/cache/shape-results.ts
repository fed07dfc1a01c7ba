/**
 * What nodes answered to pods of one shape, kept for the next pod like them: replicas of one template are told the
 * same by a node on which nothing has changed. Only what looks at nothing but the pod and the node can be kept.
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

/** Who would have to go from a node, or why that would not help. */
export type VictimsOrNot = Victims | Rejection | 'nobody';

/** What is known of one node. */
interface KnownOfNode {
  readonly version: number;
  /** The pods that were promised the node then. */
  readonly promised: readonly PodInfo[];
  refusal?: Refusal;
  victims?: VictimsOrNot;
}

/** What pods of one shape were told. */
export class ShapeResults {
  readonly #fitting = new NumbersOfNodes();
  readonly #known: (KnownOfNode | undefined)[] = [];
  readonly #scores = new Map<string, NumbersOfNodes>();

  /** Whether the pod fits by all filters that are of the node alone; false also where that is not known. */
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

/** Shapes whose answers are kept; those used longest ago are dropped. At 5,000 nodes, each takes up to 1 MB. */
const shapesMax = 32;

/** The answers of all shapes that pods had of late. */
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
