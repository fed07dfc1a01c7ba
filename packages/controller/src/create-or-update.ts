/** Creates an object or updates it to the desired state. If you own whole fields, `client.of(kind).apply` is simpler. */

import {
  deepClone,
  deepEqual,
  isStatusError,
  type KubeObject,
  type ObjectMeta,
} from '@coxswain/apimachinery';
import type { DraftBody, KindRef, KubeClient, Part } from '@coxswain/client';

/** The result of {@link createOrUpdate}. */
export interface CreatedOrUpdated<T> {
  readonly result: 'created' | 'updated' | 'unchanged';
  readonly object: T;
}

/**
 * Reads the object named by `wanted.metadata`, lets `mutate` change a copy of it (or `wanted` itself, if it doesn't
 * exist yet), and writes the difference.
 * @throws StatusError 409 after a concurrent write: the reconcile is retried
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
