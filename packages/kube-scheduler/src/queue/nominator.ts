import type { PodInfo } from '../cache/pod-info.ts';

/** Tracks which pods are nominated to which node. */
export class Nominator {
  readonly #nodeOf = new Map<string, string>();
  /** Replaced by a new list on each change. */
  readonly #podsOn = new Map<string, readonly PodInfo[]>();

  /** An empty node name removes the nomination. */
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

  /** Returns the same list as long as its pods are unchanged. */
  podsOn(nodeName: string): readonly PodInfo[] {
    // Optimized for the usual case without nominations, since it is called for every node and pod.
    return this.#podsOn.size === 0 ? nobody : (this.#podsOn.get(nodeName) ?? nobody);
  }
}

const nobody: readonly PodInfo[] = [];
