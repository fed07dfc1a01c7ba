import type { NodeInfo } from '../cache/node-info.ts';
import type { Rejection } from './verdict.ts';

/** Why nodes refused a pod. The one of a search is good until the next pod is tried. */
export class NodeVerdicts {
  /** By the number of the node. */
  readonly #verdicts: (Rejection | undefined)[] = [];
  #size = 0;

  /** Of how many nodes. */
  get size(): number {
    return this.#size;
  }

  of({ slot }: NodeInfo): Rejection | undefined {
    return this.#verdicts[slot];
  }

  set({ slot }: NodeInfo, verdict: Rejection): void {
    while (this.#verdicts.length <= slot) this.#verdicts.push(undefined);
    if (this.#verdicts[slot] === undefined) this.#size++;
    this.#verdicts[slot] = verdict;
  }

  clear(): void {
    if (this.#size > 0) this.#verdicts.fill(undefined);
    this.#size = 0;
  }

  /** The texts of all reasons, each with the number of nodes that gave it. */
  countReasons(): Map<string, number> {
    const counts = new Map<string, number>();
    const count = (verdict: Rejection | undefined, times: number) => {
      for (const reason of verdict?.reasons ?? []) counts.set(reason, (counts.get(reason) ?? 0) + times);
    };
    // Most nodes say the same, word for word, as the one before them.
    let last: Rejection | undefined;
    let times = 0;
    for (const verdict of this.#verdicts) {
      if (verdict !== last) {
        count(last, times);
        last = verdict;
        times = 0;
      }
      times++;
    }
    count(last, times);
    return counts;
  }
}
