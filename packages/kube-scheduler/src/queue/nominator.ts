import type { PodInfo } from '../cache/pod-info.ts';

/** Which pods were promised which node. */
export class Nominator {
  readonly #nodeOf = new Map<string, string>();
  readonly #podsOn = new Map<string, Map<string, PodInfo>>();

  /** An empty node name takes the promise back. */
  set(info: PodInfo, nodeName: string): void {
    this.delete(info.uid);
    if (nodeName === '') return;
    this.#nodeOf.set(info.uid, nodeName);
    const pods = this.#podsOn.get(nodeName);
    if (pods === undefined) this.#podsOn.set(nodeName, new Map([[info.uid, info]]));
    else pods.set(info.uid, info);
  }

  delete(uid: string): void {
    const nodeName = this.#nodeOf.get(uid);
    if (nodeName === undefined) return;
    this.#nodeOf.delete(uid);
    const pods = this.#podsOn.get(nodeName);
    pods?.delete(uid);
    if (pods?.size === 0) this.#podsOn.delete(nodeName);
  }

  nodeOf(uid: string): string | undefined {
    return this.#nodeOf.get(uid);
  }

  podsOn(nodeName: string): readonly PodInfo[] {
    const pods = this.#podsOn.get(nodeName);
    return pods === undefined ? nobody : [...pods.values()];
  }
}

const nobody: readonly PodInfo[] = [];
