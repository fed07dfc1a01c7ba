/** Builds path and query from the parts of a request, after a client's usual checks. */

import { checkPathSegment, goQuote, type GroupVersion } from '@coxswain/apimachinery';

/** A query parameter; a list becomes several parameters, and undefined none. */
export type QueryValue = string | number | boolean | readonly string[] | undefined;

/** The target of a request. */
export interface RequestTarget {
  /** An absolute path instead of the parts below: `/healthz`. */
  readonly path?: string;
  readonly groupVersion?: GroupVersion;
  readonly resource?: string;
  /** Undefined for requests to all namespaces, and for cluster-scoped resources. */
  readonly namespace?: string;
  /** Requests to a namespaced resource must name the namespace to create or address a single object. */
  readonly namespaced?: boolean;
  readonly name?: string;
  readonly subresource?: string;
  /** After the subresource: the path passed to a proxy. */
  readonly subpath?: string;
  readonly query?: Readonly<Record<string, QueryValue>>;
}

/**
 * Returns the path with query, as in the request line.
 * @throws Error with client-go's message if the parts are inconsistent
 * @internal
 */
export function requestPath(verb: string, target: RequestTarget): string {
  checkTarget(verb, target);
  const query = encodeQuery(target.query ?? {});
  const path = target.path ?? resourcePath(target);
  if (query === '') return path;
  return path.includes('?') ? `${path}&${query}` : `${path}?${query}`;
}

/**
 * `/api/v1` or `/apis/apps/v1`
 * @internal
 */
export const groupVersionPath = ({ group, version }: GroupVersion): string =>
  group === '' ? `/api/${version}` : `/apis/${group}/${version}`;

/**
 * Like Go's url.Values: sorted by key, with plus signs for spaces.
 * @internal
 */
export function encodeQuery(query: Readonly<Record<string, QueryValue>>): string {
  const pairs: string[] = [];
  const keys: string[] = [];
  for (const key in query) if (query[key] !== undefined) keys.push(key);
  if (keys.length > 1) keys.sort();
  for (const key of keys) {
    const value = query[key];
    for (const item of Array.isArray(value) ? (value as readonly string[]) : [value]) {
      pairs.push(`${escapeQuery(key)}=${escapeQuery(String(item))}`);
    }
  }
  return pairs.join('&');
}

function checkTarget(verb: string, target: RequestTarget): void {
  if (target.path !== undefined) return;
  const { resource, namespace, name, subresource } = target;
  if (name === '') throw new Error('resource name may not be empty');
  checkSegment('resource', resource);
  checkSegment('resource name', name);
  checkSegment('namespace', namespace === '' ? undefined : namespace);
  for (const segment of subresource?.split('/') ?? []) checkSegment('subresource', segment);
  if (!target.namespaced || (namespace !== undefined && namespace !== '')) return;
  if (verb === 'POST') throw new Error('an empty namespace may not be set during creation');
  if (name !== undefined)
    throw new Error('an empty namespace may not be set when a resource name is provided');
}

function checkSegment(what: string, value: string | undefined): void {
  if (value === undefined) return;
  const messages = checkPathSegment(value);
  if (messages.length > 0) throw new Error(`invalid ${what} ${goQuote(value)}: [${messages.join(' ')}]`);
}

function resourcePath(target: RequestTarget): string {
  let path = groupVersionPath(target.groupVersion ?? { group: '', version: 'v1' });
  if (target.namespace) path += `/namespaces/${escapeSegment(target.namespace)}`;
  if (target.resource) path += `/${escapeSegment(target.resource)}`;
  if (target.name !== undefined) path += `/${escapeSegment(target.name)}`;
  if (target.subresource) path += `/${target.subresource.split('/').map(escapeSegment).join('/')}`;
  if (target.subpath) path += `/${target.subpath.replace(/^\//, '').split('/').map(escapeSegment).join('/')}`;
  return path;
}

/** Leaves the characters unescaped that Go does. */
const escapeSegment = (segment: string): string =>
  plainName.test(segment)
    ? segment
    : encodeURIComponent(segment).replace(/%(?:3A|40|24|26|2B|2C|3B|3D)/g, decodeURIComponent);

const plainName = /^[a-z0-9.-]*$/;

const escapeQuery = (text: string): string =>
  plainWord.test(text)
    ? text
    : encodeURIComponent(text)
        .replace(/%20/g, '+')
        .replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);

const plainWord = /^[\w.~-]*$/;
