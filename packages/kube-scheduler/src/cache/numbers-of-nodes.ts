import type { NodeInfo } from './node-info.ts';

/** Caches one number per node, valid as long as the node is unchanged. */
export class NumbersOfNodes {
  /** The versions of the nodes when their numbers were cached; no node has version 0. */
  #keptAt = new Float64Array(0);
  #numbers = new Float64Array(0);

  get({ slot, version }: NodeInfo): number | undefined {
    return this.#keptAt[slot] === version ? this.#numbers[slot] : undefined;
  }

  /** Returns the cached number, or caches the result of `make`. */
  of(node: NodeInfo, make: (node: NodeInfo) => number): number {
    const kept = this.get(node);
    if (kept !== undefined) return kept;
    const made = make(node);
    this.keep(node, made);
    return made;
  }

  keep({ slot, version }: NodeInfo, number: number): void {
    if (slot >= this.#keptAt.length) {
      this.#keptAt = grown(this.#keptAt, slot);
      this.#numbers = grown(this.#numbers, slot);
    }
    this.#keptAt[slot] = version;
    this.#numbers[slot] = number;
  }
}

const slotsAtFirst = 128;

function grown(before: Float64Array<ArrayBuffer>, slot: number): Float64Array<ArrayBuffer> {
  let length = Math.max(slotsAtFirst, before.length);
  while (length <= slot) length *= 2;
  const after = new Float64Array(length);
  after.set(before);
  return after;
}
