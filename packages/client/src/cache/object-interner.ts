/** Objects created from one template differ little, so their equal parts are stored once. */

import { shareEqualParts, type KubeObject } from '@coxswain/apimachinery';

/** The number of families whose latest member is remembered. */
const familiesMax = 64;

export class ObjectInterner<T extends KubeObject> {
  /** The latest member of each family, with the most recently used families at the end. */
  readonly #newest = new Map<string, T>();

  /** Replaces parts that equal those of `before`, its own earlier state, or of the latest member of its family. */
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

/** By the first owner, such as a ReplicaSet for its replicas. Objects without an owner form one family. */
const familyOf = ({ metadata }: KubeObject): string => metadata.ownerReferences?.[0]?.uid ?? '';
