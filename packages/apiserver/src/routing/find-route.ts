/** Finds the route of an API request, or the reason that there is none. */
import { ownMember } from '@coxswain/apimachinery/own-member.ts';
import { badRequest, methodNotSupported, notFound } from '@coxswain/apimachinery/errors.ts';
import type { StatusError } from '@coxswain/apimachinery';
import type { RequestInfo } from '../request-info.ts';
import { methodNotAllowedByRouter, notFoundByRouter } from '../negotiation/refusals.ts';
import type { ResourceRoutes, RouteTable, VerbRoute, VersionRoutes } from './resource-routes.ts';

export type Found =
  | { readonly kind: 'route'; readonly routes: ResourceRoutes; readonly route: VerbRoute }
  /** This server doesn't have the group and version: the next one in the chain is asked. */
  | { readonly kind: 'elsewhere' }
  | { readonly kind: 'refused'; readonly error: StatusError };

export function findRoute(table: RouteTable, info: RequestInfo, method: string): Found {
  const resources = table.get(info.group === '' ? info.version : `${info.group}/${info.version}`);
  if (resources === undefined || (info.group === '') !== (info.apiPrefix === 'api')) return elsewhere;
  if (resources.isCustom) return findCustomRoute(resources, info, method);
  // The legacy proxy verb preceded the resource; it no longer exists.
  if (info.verb === 'proxy') return missing;
  const routes = resources.get(
    info.subresource === '' ? info.resource : `${info.resource}/${info.subresource}`,
  );
  if (routes === undefined || !fits(routes, info)) return missing;
  const isItem = info.parts.length > 1 && !info.deprecatedWatch;
  if (info.deprecatedWatch && method !== 'GET') return notAllowed;
  // Without a namespace only lists are possible; the other methods require one.
  const allNamespaces = routes.scope.namespaced && info.namespace === '';
  const methods = isItem ? routes.item : routes.collection;
  const route = ownMember(methods, method);
  if (route === undefined || (allNamespaces && method !== 'GET')) {
    return isEmpty(methods) ? missing : notAllowed;
  }
  return { kind: 'route', routes, route };
}

function fits({ scope, takesPath }: ResourceRoutes, info: RequestInfo): boolean {
  const depth = info.parts.length;
  if (depth > 3 && !takesPath) return false;
  if (scope.namespaced) return info.namespace !== '' || depth === 1;
  // In a namespace's own path its name is at the position of the namespace.
  return info.namespace === '' || (scope.resource === 'namespaces' && scope.group === '');
}

const isEmpty = (methods: object): boolean => Object.keys(methods).length === 0;

const elsewhere: Found = { kind: 'elsewhere' };

/**
 * The server of custom resources has no router that would refuse a request first: unknown resources are passed on, and
 * the path after a subresource is ignored.
 */
function findCustomRoute(resources: VersionRoutes, info: RequestInfo, method: string): Found {
  const { group, resource, subresource, name, verb } = info;
  const main = resources.get(resource);
  if (main === undefined || !isInScope(main, info)) return elsewhere;
  const routes = subresource === '' ? main : resources.get(`${resource}/${subresource}`);
  if (routes === undefined) return refused(notFound({ group, resource }, name));
  const isItem = info.parts.length > 1 && !info.deprecatedWatch;
  // An object may be created at any path; its name comes from the body.
  const methods = isItem && !(method === 'POST' && subresource === '') ? routes.item : routes.collection;
  // Routes are found by verb, and HEAD has the verb of GET.
  const route = ownMember(methods, method === 'HEAD' ? 'GET' : method);
  if (route !== undefined) return { kind: 'route', routes, route };
  return refused(
    namedVerbs.has(verb)
      ? badRequest('name must be provided')
      : methodNotSupported(routes.scope.groupResource, verb),
  );
}

const namedVerbs: ReadonlySet<string> = new Set(['update', 'patch']);
const verbsOfAllNamespaces: ReadonlySet<string> = new Set(['list', 'watch']);

const isInScope = ({ scope }: ResourceRoutes, { namespace, verb }: RequestInfo): boolean =>
  scope.namespaced ? namespace !== '' || verbsOfAllNamespaces.has(verb) : namespace === '';

const refused = (error: StatusError): Found => ({ kind: 'refused', error });

const missing: Found = { kind: 'refused', error: notFoundByRouter() };
const notAllowed: Found = { kind: 'refused', error: methodNotAllowedByRouter() };
