/** `namespace/name`, or `name` for cluster-wide objects: how caches and queues call an object. */

import type { KubeObject } from '@coxswain/apimachinery';

export const objectKey = ({ metadata }: KubeObject): string =>
  metadata.namespace ? `${metadata.namespace}/${metadata.name}` : (metadata.name ?? '');

export function splitObjectKey(key: string): { readonly namespace: string; readonly name: string } {
  const slash = key.indexOf('/');
  return slash < 0
    ? { namespace: '', name: key }
    : { namespace: key.slice(0, slash), name: key.slice(slash + 1) };
}
