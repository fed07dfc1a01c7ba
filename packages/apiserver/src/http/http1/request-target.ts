/** Parses the target of a request line (RFC 9112, section 3.2) as Go's `url.ParseRequestURI` does. */

export interface RequestTarget {
  /** Percent-encoded as received; empty for `*` and for CONNECT. */
  readonly path: string;
  /** Without the question mark. */
  readonly query: string;
  /** The host, if the target has one, which then overrides the header. */
  readonly host: string | undefined;
}

/** Undefined for an invalid target. */
export function readTarget(method: string, target: string): RequestTarget | undefined {
  if (isControl.test(target)) return undefined;
  if (target.charCodeAt(0) === slash) return splitQuery(target, undefined);
  if (target === '*') return { path: '*', query: '', host: undefined };
  if (method === 'CONNECT') return absolute(`//${target}`);
  const scheme = /^[a-z][a-z0-9+.-]*:/i.exec(target)?.[0];
  return scheme === undefined ? undefined : absolute(target.slice(scheme.length));
}

function absolute(rest: string): RequestTarget | undefined {
  const [, authority, more] = /^\/\/([^/?]*)(.*)$/s.exec(rest) ?? [];
  if (authority === undefined) return rest.startsWith('/') ? splitQuery(rest, undefined) : opaque(rest);
  if (!soundAuthority.test(authority)) return undefined;
  return splitQuery(more!, authority.slice(authority.lastIndexOf('@') + 1));
}

/** `scheme:anything` has no path. */
const opaque = (rest: string): RequestTarget => ({ ...splitQuery(rest, undefined)!, path: '' });

function splitQuery(target: string, host: string | undefined): RequestTarget | undefined {
  const mark = target.indexOf('?');
  const path = mark < 0 ? target : target.slice(0, mark);
  if (isBrokenEscape.test(path)) return undefined;
  return { path, query: mark < 0 ? '' : target.slice(mark + 1), host };
}

const slash = '/'.charCodeAt(0);
// oxlint-disable-next-line no-control-regex -- they are what is looked for
const isControl = /[\0-\x20\x7f]/;
const isBrokenEscape = /%(?![0-9a-f]{2})/i;
const soundAuthority = /^(?:[^@[\]<>"]*@)?(?:\[[0-9a-f:.]+(?:%25[^\]]*)?\]|[^@:[\]<>"\\^`{|}]*)(?::\d*)?$/i;
