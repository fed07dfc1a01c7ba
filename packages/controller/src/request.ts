/** The object to reconcile. */

import type { KubeObject } from '@coxswain/apimachinery';

/** Identifies the object to reconcile. */
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

/**
 * The request for an object.
 * @param object only its metadata is read
 * @example
 * const watches = [watch(Secret, (secret) => [requestFor(secret)])];
 */
export const requestFor = ({ metadata: { namespace = '', name = '' } }: KubeObject): Request => ({
  namespace,
  name,
});

/**
 * The key in the work queue: `default/web`, or `web` without a namespace.
 * @param request identifies an object
 * @example
 * keyOf({ namespace: 'default', name: 'web' }); // 'default/web'
 */
export const keyOf = ({ namespace, name }: Request): string =>
  namespace === '' ? name : `${namespace}/${name}`;

/**
 * The request for a key made by {@link keyOf}.
 * @example
 * requestOf('default/web'); // { namespace: 'default', name: 'web' }
 */
export function requestOf(key: string): Request {
  const slash = key.indexOf('/');
  return slash < 0
    ? { namespace: '', name: key }
    : { namespace: key.slice(0, slash), name: key.slice(slash + 1) };
}
