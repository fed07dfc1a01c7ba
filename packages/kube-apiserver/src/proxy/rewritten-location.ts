import type { ForwardTarget } from './forwarder.ts';

/**
 * Rewrites a redirect of the target: an absolute path, or a URL of the target itself, is prefixed with the proxy's
 * path; others stay unchanged.
 */
export function rewrittenLocation(location: string, { host, port, pathPrefix }: ForwardTarget): string {
  if (pathPrefix === undefined) return location;
  const absolute = /^[a-z][a-z\d+.-]*:\/\/([^/?#]*)(.*)$/i.exec(location);
  const own = [host, `${host}:${port}`];
  if (absolute !== null && !own.includes(absolute[1]!)) return location;
  const path = absolute === null ? location : absolute[2]! || '/';
  return path.startsWith('/') && !path.startsWith('//') ? `${pathPrefix}${path}` : location;
}
