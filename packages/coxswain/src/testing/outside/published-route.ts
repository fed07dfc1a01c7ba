/** One route that an Ingress or an HTTPRoute publishes, and how its hosts and paths are compared. */

import type { HttpHeader, HttpRequest } from '@coxswain/simulated-nodes/network/http-message.ts';

export interface PublishedRoute {
  isForHost(host: string): boolean;
  /** Whether path, method, headers and query are those of the route. */
  matches(request: HttpRequest): boolean;
  /** The larger comes first; compared from left to right. */
  readonly precedence: readonly number[];
  readonly backends: readonly WeightedBackend[];
  /** What the route asks for and a simulation does not do. */
  readonly unsupported?: string | undefined;
  readonly requestHeaders?: readonly HeaderChange[];
  readonly responseHeaders?: readonly HeaderChange[];
}

export interface WeightedBackend {
  readonly namespace: string;
  readonly service: string;
  /** A number, or the name of a port of the Service. */
  readonly port: number | string;
  readonly weight: number;
}

export interface HeaderChange {
  readonly set?: readonly HttpHeader[];
  readonly add?: readonly HttpHeader[];
  readonly remove?: readonly string[];
}

/** `shop.example.com`, or `*.example.com` for the names below it. @param isDeep of any depth, not of one label only */
export function hostMatcher(pattern: string | undefined, isDeep: boolean): (host: string) => boolean {
  if (!pattern || pattern === '*') return () => true;
  if (!pattern.startsWith('*.')) return (host) => host.toLowerCase() === pattern;
  const suffix = pattern.slice(1);
  return (host) => {
    const label = host.toLowerCase().endsWith(suffix) ? host.slice(0, -suffix.length) : '';
    return label !== '' && (isDeep || !label.includes('.'));
  };
}

/** How specific a host is: exact ones before wildcards before all. */
export const hostPrecedence = (pattern: string | undefined): number =>
  !pattern || pattern === '*' ? 0 : pattern.startsWith('*.') ? pattern.length : 1_000 + pattern.length;

export const pathOf = ({ path }: HttpRequest): string => path.replace(/\?.*$/, '');

/** `/a` is a prefix of `/a` and `/a/b`, and none of `/ab`. */
export function hasPathPrefix(path: string, prefix: string): boolean {
  const bare = prefix.replace(/\/$/, '');
  return path === bare || path.startsWith(`${bare}/`);
}
