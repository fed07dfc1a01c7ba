import type { NodeInfo } from './node-info.ts';

/** Something that is summed over all nodes. `S` holds the sum, `P` is what one node adds to it. */
export interface NodeSum<S, P> {
  readonly sum: S;
  /** What the node adds as it is now; undefined for nothing. */
  partOf(node: NodeInfo): P | undefined;
  /** Adds the part to the sum, or takes it away. */
  add(part: P, by: 1 | -1): void;
}

/** Sums kept at once; those used longest ago are dropped, and cost a walk over all nodes when wanted again. */
const sumsMax = 64;
/** Changes of nodes remembered. A sum that has missed more begins anew, which is cheaper by then. */
const changesMax = 16_384;

interface Running {
  readonly of: NodeSum<unknown, unknown>;
  /** What each node added. */
  readonly parts: Map<NodeInfo, unknown>;
  /** All changes before this one are in. */
  seen: number;
}

/**
 * Sums over all nodes that scheduling asks for again and again, pod after pod of one template: between two pods
 * only the nodes that changed are looked at.
 */
export class RunningSums {
  readonly #sums = new Map<string, Running>();
  #changed: NodeInfo[] = [];
  /** The number of the first change that is remembered. */
  #first = 0;
  /** All changes before this one have been asked for. */
  #read = 0;

  /** The node, its labels or its pods are other than before, or it is gone. */
  changed(node: NodeInfo): void {
    if (this.#sums.size === 0) return;
    const end = this.#first + this.#changed.length;
    if (end > this.#read && this.#changed.at(-1) === node) return;
    if (this.#changed.length >= changesMax) {
      this.#first += this.#changed.length;
      this.#changed = [];
    }
    this.#changed.push(node);
  }

  /**
   * The sum of that key as it is now; `nodes` are those that can add something, asked when it begins. What is
   * answered lives on: it is good until the next change of a node, and not to be changed by others.
   */
  get<S, P>(key: string, make: () => NodeSum<S, P>, nodes: () => Iterable<NodeInfo>): S {
    const known = this.#sums.get(key);
    const isBehind = known === undefined || known.seen < this.#first;
    const running = isBehind ? begin(make() as NodeSum<unknown, unknown>, nodes()) : known;
    if (!isBehind) this.#catchUp(running);
    running.seen = this.#read = this.#first + this.#changed.length;
    this.#sums.delete(key);
    this.#sums.set(key, running);
    if (this.#sums.size > sumsMax) this.#sums.delete(this.#sums.keys().next().value!);
    return running.of.sum as S;
  }

  #catchUp(running: Running): void {
    for (let index = running.seen - this.#first; index < this.#changed.length; index++) {
      const node = this.#changed[index]!;
      const before = running.parts.get(node);
      if (before !== undefined) running.of.add(before, -1);
      running.parts.delete(node);
      count(running, node);
    }
  }
}

function begin(of: NodeSum<unknown, unknown>, nodes: Iterable<NodeInfo>): Running {
  const running: Running = { of, parts: new Map(), seen: 0 };
  for (const node of nodes) count(running, node);
  return running;
}

function count({ of, parts }: Running, node: NodeInfo): void {
  const part = node.exists ? of.partOf(node) : undefined;
  if (part === undefined) return;
  parts.set(node, part);
  of.add(part, 1);
}
