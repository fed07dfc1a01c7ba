/**
 * What a request line asks for, found by splitting the path once. Everything behind it (authorization,
 * audit, metrics, dispatch) reads this value and never the path again.
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
  /** Whether the path is of the form of an API resource, known or not. */
  readonly isResourceRequest: boolean;
  /** Path without query, decoded. */
  readonly path: string;
  /** An API verb, or the HTTP method in lower case where there is none (and empty for OPTIONS). */
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
  /** Resource, name, subresource and whatever follows. */
  readonly parts: readonly string[];
  /** Whether the path had the deprecated `/watch/` before the resource. */
  readonly deprecatedWatch: boolean;
}

/** Subresources below a namespace which are no resource inside it. */
const namespaceSubresources: ReadonlySet<string> = new Set(['status', 'finalize']);

const methodVerbs: Readonly<Record<string, string>> = {
  POST: 'create',
  GET: 'get',
  HEAD: 'get',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
};

/** @param path without query, percent-encoded as it came; @param query without its question mark */
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

/** Segments between slashes, empty ones at both ends left out. An encoded slash separates, too. */
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

/** Percent-decoding; bytes that are no UTF-8 become U+FFFD. */
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

/** `watch=true` in any of the forms that Go's strconv takes for a bool. */
function asksToWatch(query: string): boolean {
  if (!query.includes('watch')) return false;
  const value = new URLSearchParams(query).get('watch');
  return value !== null && value !== '0' && value.toLowerCase() !== 'false';
}

/** A list of one name is authorized as that name; where `watch` stands in the path, the original doesn't look. */
function nameInFieldSelector(query: string): string {
  if (!query.includes('fieldSelector')) return '';
  const selector = new URLSearchParams(query).get('fieldSelector') ?? '';
  const found = /(?:^|,)metadata\.name==?([^,=!]+)(?:,|$)/.exec(selector);
  return found?.[1] ?? '';
}
