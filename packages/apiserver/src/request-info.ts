/**
 * Parses a request line by splitting the path once. All later steps (authorization, audit, metrics, dispatch) use this
 * value and never the path.
 */
import { ownMember } from '@coxswain/apimachinery/own-member.ts';

export type ApiVerb =
  | 'get'
  | 'list'
  | 'watch'
  | 'create'
  | 'update'
  | 'patch'
  | 'delete'
  | 'deletecollection';

export interface RequestInfo {
  /** Whether the path has the form of an API resource, known or not. */
  readonly isResourceRequest: boolean;
  /** The decoded path, without query. */
  readonly path: string;
  /** An API verb, or for other requests the HTTP method in lower case (empty for OPTIONS). */
  readonly verb: string;
  /** `api`, `apis`, or empty. */
  readonly apiPrefix: string;
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
  readonly namespace: string;
  readonly resource: string;
  readonly subresource: string;
  readonly name: string;
  /** The resource, name, subresource and all further segments. */
  readonly parts: readonly string[];
  /** Whether the path has the deprecated `/watch/` before the resource. */
  readonly deprecatedWatch: boolean;
}

/** Segments after a namespace that are its subresources, not resources inside it. */
const namespaceSubresources: ReadonlySet<string> = new Set(['status', 'finalize']);

const methodVerbs: Readonly<Record<string, string>> = {
  POST: 'create',
  GET: 'get',
  HEAD: 'get',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
};

/** @param path without query, percent-encoded as received; @param query without its question mark */
export function parseRequestInfo(method: string, path: string, query: string): RequestInfo {
  const segments = splitPath(path);
  const prefix = segments[0];
  if (prefix === 'api') {
    if (segments.length >= 3) return resourceRequest(method, path, query, segments, 'api', '', 1);
  } else if (prefix === 'apis' && segments.length >= 4) {
    return resourceRequest(method, path, query, segments, 'apis', segments[1]!, 2);
  }
  return plainRequest(method, path, segments);
}

function plainRequest(method: string, path: string, segments: readonly string[]): RequestInfo {
  const prefix = segments[0] === 'api' || segments[0] === 'apis' ? segments[0] : '';
  return {
    isResourceRequest: false,
    path: decodedPath(path),
    verb: method.toLowerCase(),
    apiPrefix: prefix,
    group: '',
    version: '',
    namespace: '',
    resource: '',
    subresource: '',
    name: '',
    parts: noParts,
    deprecatedWatch: false,
  };
}

function resourceRequest(
  method: string,
  path: string,
  query: string,
  segments: readonly string[],
  apiPrefix: string,
  group: string,
  versionAt: number,
): RequestInfo {
  let at = versionAt + 1;
  let verb = ownMember(methodVerbs, method) ?? '';
  let deprecatedWatch = false;
  const first = segments[at];
  if ((first === 'watch' || first === 'proxy') && segments.length > at + 1) {
    verb = first;
    deprecatedWatch = first === 'watch';
    at++;
  }
  let namespace = '';
  if (segments[at] === 'namespaces' && segments.length > at + 1) {
    namespace = segments[at + 1]!;
    // A namespace's own subresource stays one; anything else is a resource inside it.
    if (segments.length > at + 2 && !namespaceSubresources.has(segments[at + 2]!)) at += 2;
  }
  const parts = segments.slice(at);
  const resource = parts[0] ?? '';
  const name = parts[1] ?? '';
  const subresource = parts.length >= 3 && verb !== 'proxy' ? parts[2]! : '';
  const collectionVerb = verb === 'get' ? 'list' : verb === 'delete' ? 'deletecollection' : verb;
  if (name === '') verb = collectionVerb === 'list' && asksToWatch(query) ? 'watch' : collectionVerb;
  const readsByName = !deprecatedWatch && (verb === 'list' || verb === 'watch');
  const fixedName = name === '' && readsByName ? nameInFieldSelector(query) : '';
  return {
    isResourceRequest: true,
    path: decodedPath(path),
    verb,
    apiPrefix,
    group,
    version: segments[versionAt]!,
    namespace,
    resource,
    subresource,
    name: name === '' ? fixedName : name,
    parts,
    deprecatedWatch,
  };
}

const noParts: readonly string[] = [];

/** The segments between slashes, without empty ones at both ends. An encoded slash separates, too. */
function splitPath(path: string): readonly string[] {
  const decodedText = decodedPath(path);
  let start = 0;
  let end = decodedText.length;
  while (start < end && decodedText.charCodeAt(start) === slash) start++;
  while (end > start && decodedText.charCodeAt(end - 1) === slash) end--;
  return start === end ? noParts : decodedText.slice(start, end).split('/');
}

const slash = 47;

const decodedPath = (path: string): string => (path.includes('%') ? decoded(path) : path);

/** Percent-decodes; invalid UTF-8 becomes U+FFFD. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment.replaceAll(/(?:%[0-9a-fA-F]{2})+/g, (run) =>
      utf8.decode(Uint8Array.from(run.slice(1).split('%'), (hex) => parseInt(hex, 16))),
    );
  }
}

const utf8 = new TextDecoder();

/** Whether the query has `watch=true` in any form that Go's strconv parses as true. */
function asksToWatch(query: string): boolean {
  if (!query.includes('watch')) return false;
  const value = new URLSearchParams(query).get('watch');
  return value !== null && value !== '0' && value.toLowerCase() !== 'false';
}

/**
 * A list of a single name is authorized with that name; upstream does not check the selector if `watch` is in the path.
 */
function nameInFieldSelector(query: string): string {
  if (!query.includes('fieldSelector')) return '';
  const selector = new URLSearchParams(query).get('fieldSelector') ?? '';
  const found = /(?:^|,)metadata\.name==?([^,=!]+)(?:,|$)/.exec(selector);
  return found?.[1] ?? '';
}
