/** The route of a path as data: server → group, version, resource → verb → handler → store → key. */
import { parseRequestInfo, type RequestInfo } from './request-info.ts';
import type { DelegationTarget, GenericApiServer } from './generic-api-server.ts';
import type { ResourceScope } from './services/resource-scope.ts';
import { routeParts, type RoutePart } from './route-parts.ts';
import { findRoute } from './routing/find-route.ts';
import type { ResourceRoutes, VerbRoute } from './routing/resource-routes.ts';

export interface DescribedRoute {
  /** The server of the chain that responds. */
  readonly server: string;
  /** The servers that were asked before and don't serve the path. */
  readonly passed: readonly string[];
  readonly info: RequestInfo;
  readonly answer:
    | {
        readonly kind: 'resource';
        readonly route: DescribedVerb;
        readonly storageKey: string | undefined;
        readonly parts: readonly RoutePart[];
      }
    | { readonly kind: 'path'; readonly path: string; readonly parts: readonly RoutePart[] }
    | { readonly kind: 'refused'; readonly status: number; readonly message: string }
    | { readonly kind: 'not-found' };
}

export interface DescribedVerb {
  readonly path: string;
  readonly method: string;
  /** LIST, GET, POST, PUT, PATCH, DELETE, DELETECOLLECTION, CONNECT; PATH without a resource. */
  readonly action: string;
  readonly groupVersion: string;
  readonly resource: string;
  readonly kind: string;
  /** The class of the store. */
  readonly store: string;
  readonly storagePrefix: string | undefined;
}

/** Describes how a request would be handled, without sending it. */
export function describeRoute(outermost: DelegationTarget, method: string, target: string): DescribedRoute {
  const [path = '/', query = ''] = target.split('?');
  const info = parseRequestInfo(method, path, query);
  const passed: string[] = [];
  for (const server of serversOf(outermost)) {
    const found = info.isResourceRequest ? findRoute(server.routes, info, method) : undefined;
    if (found?.kind === 'route') {
      const route = describeVerb(server, found.routes, found.route, method, info.parts.length > 1);
      const storageKey = storageKeyOf(server, found.routes, info);
      const parts = routeParts(found.routes.scope, found.route, info, wholeOf(server, found.routes.scope));
      return { server: server.name, passed, info, answer: { kind: 'resource', route, storageKey, parts } };
    }
    if (found?.kind === 'refused') {
      const { code, status } = found.error;
      return {
        server: server.name,
        passed,
        info,
        answer: { kind: 'refused', status: code, message: status.message ?? '' },
      };
    }
    const handler = server.plain.find(path);
    if (handler !== undefined) {
      const parts = [{ part: 'handler', does: '', work: handler }];
      return { server: server.name, passed, info, answer: { kind: 'path', path, parts } };
    }
    passed.push(server.name);
  }
  return { server: 'not-found', passed, info, answer: { kind: 'not-found' } };
}

/** The scope of the object to which a subresource belongs. */
const wholeOf = (server: GenericApiServer, { group, version, resource, subresource }: ResourceScope) =>
  subresource === ''
    ? undefined
    : server.routes.get(group === '' ? version : `${group}/${version}`)?.get(resource)?.scope;

/** All routes of a chain of servers. */
export function describeRoutes(outermost: DelegationTarget): readonly DescribedVerb[] {
  const described: DescribedVerb[] = [];
  for (const server of serversOf(outermost)) {
    for (const resources of server.routes.values()) {
      for (const routes of resources.all()) {
        for (const [method, route] of Object.entries(routes.collection)) {
          described.push(describeVerb(server, routes, route, method, false));
        }
        for (const [method, route] of Object.entries(routes.item)) {
          described.push(describeVerb(server, routes, route, method, true));
        }
      }
    }
    described.push(...server.plain.paths().map(describePath));
  }
  return described;
}

/** A path without a resource, as the index lists it. */
const describePath = (path: string): DescribedVerb => ({
  path,
  method: 'GET',
  action: 'PATH',
  groupVersion: '',
  resource: '',
  kind: '',
  store: '',
  storagePrefix: undefined,
});

function* serversOf(outermost: DelegationTarget): Generator<GenericApiServer> {
  let current: DelegationTarget | undefined = outermost;
  while (current !== undefined && 'routes' in current) {
    const server = current as GenericApiServer;
    yield server;
    current = server.delegate;
  }
}

function describeVerb(
  _server: GenericApiServer,
  { scope }: ResourceRoutes,
  route: VerbRoute,
  method: string,
  isItem: boolean,
): DescribedVerb {
  const { group, version, resource, subresource, storage } = scope;
  const groupVersion = group === '' ? version : `${group}/${version}`;
  const root = group === '' ? `/api/${version}` : `/apis/${groupVersion}`;
  const place = scope.namespaced ? '/namespaces/{namespace}' : '';
  const below = `${isItem ? '/{name}' : ''}${subresource === '' ? '' : `/${subresource}`}`;
  return {
    path: `${root}${place}/${resource}${below}`,
    method,
    action: route.step.toUpperCase(),
    groupVersion,
    resource: subresource === '' ? resource : `${resource}/${subresource}`,
    kind: scope.kind.kind,
    store: storage.constructor === Object ? 'storage value' : storage.constructor.name,
    storagePrefix: storage.storagePrefix,
  };
}

/** The storage key; for a subresource, that of its object. */
function storageKeyOf(
  server: GenericApiServer,
  { scope }: ResourceRoutes,
  info: RequestInfo,
): string | undefined {
  const { storagePrefix = wholeOf(server, scope)?.storage.storagePrefix, namespaced } = scope.storage;
  if (storagePrefix === undefined) return undefined;
  const directory =
    namespaced && info.namespace !== '' ? `${storagePrefix}/${info.namespace}` : storagePrefix;
  return info.name === '' ? `${directory}/` : `${directory}/${info.name}`;
}
