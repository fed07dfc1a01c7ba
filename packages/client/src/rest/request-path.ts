/** From the parts of a request to its path and query, after the checks that a client makes before sending. */

import { checkPathSegment, goQuote, type GroupVersion } from '@coxswain/apimachinery';

/** A parameter of a query; a list becomes several, and undefined none. */
export type QueryValue = string | number | boolean | readonly string[] | undefined;

/** What a request is about. */
export interface RequestTarget {
  /** Absolute path instead of the parts below: `/healthz`. */
  readonly path?: string;
  readonly groupVersion?: GroupVersion;
  readonly resource?: string;
  /** Absent: the request is about all namespaces, or the resource has none. */
  readonly namespace?: string;
  /** A namespaced request must name its namespace to create and to address one object. */
  readonly namespaced?: boolean;
  readonly name?: string;
  readonly subresource?: string;
  /** After the subresource: the path behind a proxy. */
  readonly subpath?: string;
  readonly query?: Readonly<Record<string, QueryValue>>;
}

/**
 * The path with query, as on the request line.
 * @throws Error with client-go's text when the parts make no sense
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
 * As Go's url.Values: sorted by key, spaces as plus signs.
 * @internal
 */
export function encodeQuery(query: Readonly<Record<string, QueryValue>>): string {
  const pairs: string[] = [];
  const keys = Object.keys(query);
  if (keys.length > 1) keys.sort();
  for (const key of keys) {
    const value = query[key];
    if (value === undefined) continue;
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

/** What Go leaves as it is in a path. */
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
