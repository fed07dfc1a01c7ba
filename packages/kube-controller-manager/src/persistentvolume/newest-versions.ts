/** The binder's view of objects: from the informer, combined with its own later writes. */

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

  /** Stores an object from the informer. Returns false if a newer version is known. */
  seen(object: T): boolean {
    const key = objectKey(object);
    const known = this.#objects.get(key);
    if (known !== undefined && versionOf(known) > versionOf(object)) return false;
    this.#objects.set(key, object);
    return true;
  }

  /** Stores the response to a write, unless the object was deleted in the meantime. */
  written(object: T): void {
    if (this.#objects.has(objectKey(object))) this.seen(object);
  }

  delete(object: T): void {
    this.#objects.delete(objectKey(object));
  }
}

const versionOf = ({ metadata }: KubeObject): number => Number(metadata.resourceVersion ?? 0);
