/** Which route answers a request to the API, or why none does. */
import { ownMember } from '@coxswain/apimachinery/own-member.ts';
import { badRequest, methodNotSupported, notFound } from '@coxswain/apimachinery/errors.ts';
import type { StatusError } from '@coxswain/apimachinery';
import type { RequestInfo } from '../request-info.ts';
import { methodNotAllowedByRouter, notFoundByRouter } from '../negotiation/refusals.ts';
import type { ResourceRoutes, RouteTable, VerbRoute, VersionRoutes } from './resource-routes.ts';

export type Found =
  | { readonly kind: 'route'; readonly routes: ResourceRoutes; readonly route: VerbRoute }
  /** No server of this process has the group and version: the next one in the chain is asked. */
  | { readonly kind: 'elsewhere' }
  | { readonly kind: 'refused'; readonly error: StatusError };

export function findRoute(table: RouteTable, info: RequestInfo, method: string): Found {
  const resources = table.get(info.group === '' ? info.version : `${info.group}/${info.version}`);
  if (resources === undefined || (info.group === '') !== (info.apiPrefix === 'api')) return elsewhere;
  if (resources.isCustom) return findCustomRoute(resources, info, method);
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
  // A namespace's own path has its name where others have their namespace's.
  return info.namespace === '' || (scope.resource === 'namespaces' && scope.group === '');
}

const isEmpty = (methods: object): boolean => Object.keys(methods).length === 0;

const elsewhere: Found = { kind: 'elsewhere' };

/**
 * The server of custom resources has no router that would refuse before it: what it doesn't know is passed
 * on, and the path behind a subresource is not looked at.
 */
function findCustomRoute(resources: VersionRoutes, info: RequestInfo, method: string): Found {
  const { group, resource, subresource, name, verb } = info;
  const main = resources.get(resource);
  if (main === undefined || !isInScope(main, info)) return elsewhere;
  const routes = subresource === '' ? main : resources.get(`${resource}/${subresource}`);
  if (routes === undefined) return refused(notFound({ group, resource }, name));
  const isItem = info.parts.length > 1 && !info.deprecatedWatch;
  // An object may be created at any path: its name is that in the body.
  const methods = isItem && !(method === 'POST' && subresource === '') ? routes.item : routes.collection;
  // It goes by verbs, and the verb of HEAD is that of GET.
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
