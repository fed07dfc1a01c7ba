/** Stores an object without managedFields when it is too large only because of them. */
import type { KubeObject } from '@coxswain/apimachinery';
import { StorageError } from '@coxswain/storage/storage.ts';
import type { Awaitable } from '../rest/storage.ts';

/** Calls `store`, and again with false if the object is refused for its size. */
export async function storedWithin<T>(store: (keepsManagedFields: boolean) => Awaitable<T>): Promise<T> {
  try {
    return await store(true);
  } catch (failure) {
    if (!(failure instanceof StorageError && failure.kind === 'too-large')) throw failure;
    return store(false);
  }
}

export function dropManagedFields({ metadata }: KubeObject): void {
  delete metadata.managedFields;
}
