/** Finalizers: work to be done before an object is removed. */

import { isStatusError, type KubeObject } from '@coxswain/apimachinery';
import type { KindRef, KubeClient } from '@coxswain/client';

export const hasFinalizer = ({ metadata }: KubeObject, finalizer: string): boolean =>
  metadata.finalizers?.includes(finalizer) === true;

/** Whether the object has been deleted and only remains because of its finalizers. */
export const isBeingDeleted = ({ metadata }: KubeObject): boolean => Boolean(metadata.deletionTimestamp);

/** Adds the finalizer if it is missing. Resolves with the resulting object. @throws StatusError 409 after a concurrent change */
export async function addFinalizer<T>(
  client: KubeClient,
  kind: KindRef<T>,
  object: T & KubeObject,
  finalizer: string,
): Promise<T & KubeObject> {
  if (hasFinalizer(object, finalizer)) return object;
  return write(client, kind, object, [...(object.metadata.finalizers ?? []), finalizer]);
}

/** Removes the finalizer once its work is done. @throws as {@link addFinalizer} */
export async function removeFinalizer<T>(
  client: KubeClient,
  kind: KindRef<T>,
  object: T & KubeObject,
  finalizer: string,
): Promise<T & KubeObject> {
  if (!hasFinalizer(object, finalizer)) return object;
  const left = (object.metadata.finalizers ?? []).filter((one) => one !== finalizer);
  try {
    return await write(client, kind, object, left);
  } catch (error) {
    // What is gone has no finalizers.
    if (isStatusError(error, 'NotFound')) return object;
    throw error;
  }
}

function write<T>(
  client: KubeClient,
  kind: KindRef<T>,
  { metadata: { namespace = '', name = '', resourceVersion } }: T & KubeObject,
  finalizers: readonly string[],
): Promise<T & KubeObject> {
  const objects = client.of(kind);
  const patch = { metadata: { finalizers, resourceVersion } };
  return (namespace === '' ? objects : objects.namespace(namespace)).patch(name, patch, { type: 'merge' });
}
