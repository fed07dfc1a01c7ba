/** Creates an object or updates it to the desired state. If you own whole fields, `client.of(kind).apply` is simpler. */

import {
  deepClone,
  deepEqual,
  isStatusError,
  type KubeObject,
  type ObjectMeta,
} from '@coxswain/apimachinery';
import type { DraftBody, KindRef, KubeClient, Part } from '@coxswain/client';

/** What {@link createOrUpdate} did. */
export interface CreatedOrUpdated<T> {
  readonly result: 'created' | 'updated' | 'unchanged';
  readonly object: T;
}

/**
 * Reads the object `wanted.metadata` names, lets `mutate` change a copy of it (or `wanted` itself, when there is none
 * yet), and writes what differs.
 * @throws StatusError 409 when somebody else wrote meanwhile: the reconcile is tried again
 * @example
 * const { result } = await createOrUpdate(client, ConfigMap, { metadata: { name: 'settings', namespace: 'shop' } }, (map) => {
 *   map.data = { ...map.data, color: 'blue' };
 * });
 */
export async function createOrUpdate<T>(
  client: KubeClient,
  kind: KindRef<T>,
  wanted: DraftBody<T> & { readonly metadata: Part<ObjectMeta> },
  mutate: (object: T & KubeObject) => void,
): Promise<CreatedOrUpdated<T & KubeObject>> {
  const { namespace = '', name = '' } = wanted.metadata;
  const all = client.of(kind);
  const objects = namespace === '' ? all : all.namespace(namespace);
  const current = await objects.get(name).catch((error: unknown) => {
    if (isStatusError(error, 'NotFound')) return undefined;
    throw error;
  });
  const next = deepClone(current ?? (wanted as unknown as T & KubeObject));
  mutate(next);
  if (current === undefined) return { result: 'created', object: await objects.create(next) };
  if (deepEqual(current, next)) return { result: 'unchanged', object: current };
  return { result: 'updated', object: await objects.update(next) };
}
