/** Finalizers: work to be done before an object is removed. */

import { isStatusError, type KubeObject } from '@coxswain/apimachinery';
import type { KindRef, KubeClient } from '@coxswain/client';

/**
 * Whether the object has this finalizer.
 * @param object only its metadata is read
 * @param finalizer `example.com/cleanup`
 * @example
 * const isOurs = hasFinalizer(widget, 'example.com/cleanup');
 */
export const hasFinalizer = ({ metadata }: KubeObject, finalizer: string): boolean =>
  metadata.finalizers?.includes(finalizer) === true;

/**
 * Whether the object has been deleted and only remains because of its finalizers.
 * @param object only its metadata is read
 * @example
 * if (isBeingDeleted(widget)) console.log('it waits for', widget.metadata.finalizers);
 */
export const isBeingDeleted = ({ metadata }: KubeObject): boolean => Boolean(metadata.deletionTimestamp);

/**
 * Adds the finalizer if it is missing. Resolves with the resulting object.
 * @throws StatusError 409 after a concurrent change: the reconcile is retried
 * @example
 * if (!isBeingDeleted(widget)) await addFinalizer(client, Widget, widget, 'example.com/cleanup');
 */
export async function addFinalizer<T>(
  client: KubeClient,
  kind: KindRef<T>,
  object: T & KubeObject,
  finalizer: string,
): Promise<T & KubeObject> {
  if (hasFinalizer(object, finalizer)) return object;
  return write(client, kind, object, [...(object.metadata.finalizers ?? []), finalizer]);
}

/**
 * Removes the finalizer once its work is done; has no effect if the object is gone.
 * @throws StatusError 409 after a concurrent change: the reconcile is retried
 * @example
 * if (isBeingDeleted(widget)) {
 *   await cleanUp(widget);
 *   await removeFinalizer(client, Widget, widget, 'example.com/cleanup');
 * }
 */
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
    // An object that is gone has no finalizers.
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
