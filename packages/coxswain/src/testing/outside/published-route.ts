/** A route that an Ingress or an HTTPRoute publishes, and the comparison of its hosts and paths. */

import type { HttpHeader, HttpRequest } from '@coxswain/simulated-nodes/network/http-message.ts';

export interface PublishedRoute {
  isForHost(host: string): boolean;
  /** Reports whether path, method, headers and query match the route. */
  matches(request: HttpRequest): boolean;
  /** Compared from left to right; the larger one wins. */
  readonly precedence: readonly number[];
  readonly backends: readonly WeightedBackend[];
  /** A feature of the route that the simulation lacks. */
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

/**
 * Matches `shop.example.com`, or with `*.example.com` the names below it. @param isDeep whether a wildcard matches any
 * number of labels instead of one
 */
export function hostMatcher(pattern: string | undefined, isDeep: boolean): (host: string) => boolean {
  if (!pattern || pattern === '*') return () => true;
  if (!pattern.startsWith('*.')) return (host) => host.toLowerCase() === pattern;
  const suffix = pattern.slice(1);
  return (host) => {
    const label = host.toLowerCase().endsWith(suffix) ? host.slice(0, -suffix.length) : '';
    return label !== '' && (isDeep || !label.includes('.'));
  };
}

/** The specificity of a host: exact ones before wildcards, and those before no host. */
export const hostPrecedence = (pattern: string | undefined): number =>
  !pattern || pattern === '*' ? 0 : pattern.startsWith('*.') ? pattern.length : 1_000 + pattern.length;

export const pathOf = ({ path }: HttpRequest): string => path.replace(/\?.*$/, '');

/** `/a` is a prefix of `/a` and `/a/b`, but not of `/ab`. */
export function hasPathPrefix(path: string, prefix: string): boolean {
  const bare = prefix.replace(/\/$/, '');
  return path === bare || path.startsWith(`${bare}/`);
}
