import type { PodInfo } from '../cache/pod-info.ts';

/** Which pods were promised which node. */
export class Nominator {
  readonly #nodeOf = new Map<string, string>();
  /** Another list after each change. */
  readonly #podsOn = new Map<string, readonly PodInfo[]>();

  /** An empty node name takes the promise back. */
  set(info: PodInfo, nodeName: string): void {
    this.delete(info.uid);
    if (nodeName === '') return;
    this.#nodeOf.set(info.uid, nodeName);
    this.#podsOn.set(nodeName, [...this.podsOn(nodeName), info]);
  }

  delete(uid: string): void {
    const nodeName = this.#nodeOf.get(uid);
    if (nodeName === undefined) return;
    this.#nodeOf.delete(uid);
    const left = this.podsOn(nodeName).filter((info) => info.uid !== uid);
    if (left.length > 0) this.#podsOn.set(nodeName, left);
    else this.#podsOn.delete(nodeName);
  }

  nodeOf(uid: string): string | undefined {
    return this.#nodeOf.get(uid);
  }

  /** The same list as long as it is the same pods. */
  podsOn(nodeName: string): readonly PodInfo[] {
    // Asked of every node for every pod, and nearly always of nobody.
    return this.#podsOn.size === 0 ? nobody : (this.#podsOn.get(nodeName) ?? nobody);
  }
}

const nobody: readonly PodInfo[] = [];
