/** The key by which caches and queues refer to an object: `namespace/name`, or `name` if it is cluster-scoped. */

import type { KubeObject } from '@coxswain/apimachinery';

/**
 * The key of an object: `default/web`, or `node-0` without a namespace.
 * @param object only its metadata is read
 * @example
 * objectKey({ metadata: { namespace: 'default', name: 'web' } }); // 'default/web'
 */
export const objectKey = ({ metadata }: KubeObject): string =>
  metadata.namespace ? `${metadata.namespace}/${metadata.name}` : (metadata.name ?? '');

/**
 * The parts of a key; the namespace is empty if there is none.
 * @example
 * const { namespace, name } = splitObjectKey('default/web');
 */
export function splitObjectKey(key: string): { readonly namespace: string; readonly name: string } {
  const slash = key.indexOf('/');
  return slash < 0
    ? { namespace: '', name: key }
    : { namespace: key.slice(0, slash), name: key.slice(slash + 1) };
}
