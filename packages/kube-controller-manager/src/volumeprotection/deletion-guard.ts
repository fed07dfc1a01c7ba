/** A finalizer on every object of a kind, which is removed once nothing uses the object being deleted. */

import type { KubeObject } from '@coxswain/apimachinery';
import type { ResourceClient } from '@coxswain/client';

export interface DeletionGuard<T extends KubeObject> {
  readonly finalizer: string;
  client(object: T): ResourceClient<T>;
  isUsed(object: T): boolean | Promise<boolean>;
}

/** Whether the object lacks its finalizer, or waits for its removal. */
export function needsGuard({ metadata }: KubeObject, finalizer: string): boolean {
  const isGuarded = metadata.finalizers?.includes(finalizer) ?? false;
  return isGuarded === (metadata.deletionTimestamp !== undefined);
}

export async function guardDeletion<T extends KubeObject>(guard: DeletionGuard<T>, object: T): Promise<void> {
  const { finalizer } = guard;
  if (!needsGuard(object, finalizer)) return;
  const before = object.metadata.finalizers ?? [];
  const isGoing = object.metadata.deletionTimestamp !== undefined;
  if (isGoing && (await guard.isUsed(object))) return;
  const finalizers = isGoing ? before.filter((one) => one !== finalizer) : [...before, finalizer];
  await guard.client(object).update({ ...object, metadata: { ...object.metadata, finalizers } });
}
