/** Objects that were made from one template differ in little: what is equal in them is kept once. */

import { shareEqualParts, type KubeObject } from '@coxswain/apimachinery';

/** Families whose newest member is remembered. */
const familiesMax = 64;

export class ObjectInterner<T extends KubeObject> {
  /** The newest of each family, the families that were heard of last at the end. */
  readonly #newest = new Map<string, T>();

  /** Takes what equals parts of `before`, its own earlier state, and parts of the newest of its family. */
  settle(object: T, before: T | undefined): void {
    if (object === before) return;
    if (before !== undefined) shareEqualParts(object, before);
    const family = familyOf(object);
    const relative = this.#newest.get(family);
    if (relative !== undefined && relative !== before) shareEqualParts(object, relative);
    this.#newest.delete(family);
    this.#newest.set(family, object);
    if (this.#newest.size > familiesMax) this.#newest.delete(this.#newest.keys().next().value!);
  }
}

/** By its first owner: the replicas of one ReplicaSet. Objects of nobody are one family. */
const familyOf = ({ metadata }: KubeObject): string => metadata.ownerReferences?.[0]?.uid ?? '';
