/** Which route answers a request to the API, or why none does. */
import { methodNotSupported } from '@coxswain/apimachinery/errors.ts';
import type { GroupResource, StatusError } from '@coxswain/apimachinery';
import type { RequestInfo } from '../request-info.ts';
import { methodNotAllowedByRouter, notFoundByRouter } from './refusals.ts';
import type { ResourceRoutes, RouteTable, VerbRoute } from './resource-routes.ts';

export type Found =
  | { readonly kind: 'route'; readonly routes: ResourceRoutes; readonly route: VerbRoute }
  /** No server of this process has the group and version: the next one in the chain is asked. */
  | { readonly kind: 'elsewhere' }
  | { readonly kind: 'refused'; readonly error: StatusError };

export function findRoute(table: RouteTable, info: RequestInfo, method: string): Found {
  const resources = table.get(info.group === '' ? info.version : `${info.group}/${info.version}`);
  if (resources === undefined || (info.group === '') !== (info.apiPrefix === 'api')) return elsewhere;
  // The proxy of old stood before the resource; nothing is there any more.
  if (info.verb === 'proxy') return missing;
  const routes = resources.get(
    info.subresource === '' ? info.resource : `${info.resource}/${info.subresource}`,
  );
  if (routes === undefined || !fits(routes, info)) return missing;
  const isItem = info.parts.length > 1 && !info.deprecatedWatch;
  if (info.deprecatedWatch && method !== 'GET') return notAllowed;
  // Without a namespace only everything can be listed; the other methods need one.
  const allNamespaces = routes.scope.namespaced && info.namespace === '';
  const methods = isItem ? routes.item : routes.collection;
  const route = methods[method];
  if (route === undefined || (allNamespaces && method !== 'GET')) {
    if (isEmpty(methods)) return missing;
    return routes.scope.itemsHaveKind ? notSupported(routes.scope.groupResource, info.verb) : notAllowed;
  }
  return { kind: 'route', routes, route };
}

function fits({ scope, takesPath }: ResourceRoutes, info: RequestInfo): boolean {
  const depth = info.parts.length;
  if (depth > 3 && !takesPath) return false;
  if (scope.namespaced) return info.namespace !== '' || depth === 1;
  // A namespace's own path has its name where others have their namespace's.
  return info.namespace === '' || (scope.resource === 'namespaces' && scope.group === '');
}

const isEmpty = (methods: object): boolean => Object.keys(methods).length === 0;

const elsewhere: Found = { kind: 'elsewhere' };
/** The server of custom resources has no router that would refuse before it. */
const notSupported = (resource: GroupResource, verb: string): Found => ({
  kind: 'refused',
  error: methodNotSupported(resource, verb),
});

const missing: Found = { kind: 'refused', error: notFoundByRouter() };
const notAllowed: Found = { kind: 'refused', error: methodNotAllowedByRouter() };
