/** The object to reconcile. */

import type { KubeObject } from '@coxswain/apimachinery';

export interface Request {
  /** Empty for objects without a namespace. */
  readonly namespace: string;
  readonly name: string;
}

/** The result of a reconcile. `undefined` means that nothing is left to do until something changes. */
export interface Result {
  /** The object is reconciled again after this time in any case. */
  readonly requeueAfterMs?: number;
}

export const requestFor = ({ metadata: { namespace = '', name = '' } }: KubeObject): Request => ({
  namespace,
  name,
});

/** The key in the work queue: `default/web`, or `web` without a namespace. */
export const keyOf = ({ namespace, name }: Request): string =>
  namespace === '' ? name : `${namespace}/${name}`;

export function requestOf(key: string): Request {
  const slash = key.indexOf('/');
  return slash < 0
    ? { namespace: '', name: key }
    : { namespace: key.slice(0, slash), name: key.slice(slash + 1) };
}
