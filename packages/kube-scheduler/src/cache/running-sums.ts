import type { NodeInfo } from './node-info.ts';

/** A sum over all nodes. `S` is the sum, `P` the contribution of one node. */
export interface NodeSum<S, P> {
  readonly sum: S;
  /** Returns the node's current contribution; undefined if it has none. */
  partOf(node: NodeInfo): P | undefined;
  /** Adds the contribution to the sum, or subtracts it. */
  add(part: P, by: 1 | -1): void;
}

/** The maximum number of sums; the least recently used are dropped, and recomputed over all nodes when needed again. */
const sumsMax = 64;
/** The number of node changes remembered. A sum that has missed more is recomputed, which is cheaper by then. */
const changesMax = 16_384;

interface Running {
  readonly of: NodeSum<unknown, unknown>;
  /** The contribution of each node. */
  readonly parts: Map<NodeInfo, unknown>;
  /** All changes before this number are included. */
  seen: number;
}

/**
 * Sums over all nodes that scheduling needs repeatedly, for each pod of one template: between two pods, only changed
 * nodes are visited.
 */
export class RunningSums {
  readonly #sums = new Map<string, Running>();
  #changed: NodeInfo[] = [];
  /** The number of the first remembered change. */
  #first = 0;
  /** All changes before this number have been used. */
  #read = 0;

  /** Records that a node, its labels or its pods have changed, or that it is gone. */
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
   * Returns the current sum for a key; `nodes` lists those that can contribute and is called on initialization. The
   * result is live: it is valid until the next change of a node, and must not be modified.
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
