/** Which object is to be reconciled. */

import type { KubeObject } from '@coxswain/apimachinery';

export interface Request {
  /** Empty for objects that have none. */
  readonly namespace: string;
  readonly name: string;
}

/** What a reconciler may answer; nothing means that all is done until something changes. */
export interface Result {
  /** The object is reconciled again after so long, whatever happens. */
  readonly requeueAfterMs?: number;
}

export const requestFor = ({ metadata: { namespace = '', name = '' } }: KubeObject): Request => ({
  namespace,
  name,
});

/** As keys of work queues are written: `default/web`, or `web` where there is no namespace. */
export const keyOf = ({ namespace, name }: Request): string =>
  namespace === '' ? name : `${namespace}/${name}`;

export function requestOf(key: string): Request {
  const slash = key.indexOf('/');
  return slash < 0
    ? { namespace: '', name: key }
    : { namespace: key.slice(0, slash), name: key.slice(slash + 1) };
}
