/** Common to the proxies of nodes, pods and services. */
import type { ApiRequest } from '@coxswain/apiserver';

export const proxyMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'] as const;

/** The path at the target, and the prefix that the client sees before it. */
export function proxied({ incoming }: ApiRequest, path: string): { path: string; pathPrefix: string } {
  const below = path === '' ? '' : `/${path}`;
  const [own] = incoming.path.split(/(?<=\/proxy)(?=\/|$)/);
  const slash = incoming.path.endsWith('/') && !below.endsWith('/') ? '/' : '';
  return { path: below + slash, pathPrefix: own! };
}
