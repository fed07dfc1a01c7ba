import type { NodeInfo } from '../cache/node-info.ts';
import type { Rejection } from '../status.ts';

/** Why nodes refused a pod. The instance of a search is valid until the next pod is tried. */
export class NodeToStatus {
  /** By slot of the node. */
  readonly #statuses: (Rejection | undefined)[] = [];
  #size = 0;

  /** The number of nodes with a status. */
  get size(): number {
    return this.#size;
  }

  of({ slot }: NodeInfo): Rejection | undefined {
    return this.#statuses[slot];
  }

  set({ slot }: NodeInfo, status: Rejection): void {
    while (this.#statuses.length <= slot) this.#statuses.push(undefined);
    if (this.#statuses[slot] === undefined) this.#size++;
    this.#statuses[slot] = status;
  }

  clear(): void {
    if (this.#size > 0) this.#statuses.fill(undefined);
    this.#size = 0;
  }

  /** Counts the nodes for each reason. */
  countReasons(): Map<string, number> {
    const counts = new Map<string, number>();
    const count = (status: Rejection | undefined, times: number) => {
      for (const reason of status?.reasons ?? []) counts.set(reason, (counts.get(reason) ?? 0) + times);
    };
    // Most nodes have exactly the same status as the previous one.
    let last: Rejection | undefined;
    let times = 0;
    for (const status of this.#statuses) {
      if (status !== last) {
        count(last, times);
        last = status;
        times = 0;
      }
      times++;
    }
    count(last, times);
    return counts;
  }
}
