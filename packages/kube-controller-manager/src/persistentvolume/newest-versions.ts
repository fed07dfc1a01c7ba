/** Objects as the binder knows them: what the informer has seen, and what the binder itself has written since. */

import type { KubeObject } from '@coxswain/apimachinery';
import { objectKey } from '@coxswain/client';

export class NewestVersions<T extends KubeObject> {
  readonly #objects = new Map<string, T>();

  get(key: string): T | undefined {
    return this.#objects.get(key);
  }

  list(): readonly T[] {
    return [...this.#objects.values()];
  }

  /** From the informer. False for a version that is older than what is known. */
  seen(object: T): boolean {
    const key = objectKey(object);
    const known = this.#objects.get(key);
    if (known !== undefined && versionOf(known) > versionOf(object)) return false;
    this.#objects.set(key, object);
    return true;
  }

  /** The answer to a write. What was deleted meanwhile stays gone. */
  written(object: T): void {
    if (this.#objects.has(objectKey(object))) this.seen(object);
  }

  delete(object: T): void {
    this.#objects.delete(objectKey(object));
  }
}

const versionOf = ({ metadata }: KubeObject): number => Number(metadata.resourceVersion ?? 0);
