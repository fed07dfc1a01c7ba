/** The functions that a request passes after the filters, in order. */

import type { Work } from '@coxswain/apimachinery';
import type { AdmissionOperation } from './admission/plugin.ts';
import { serveWatch } from './handlers/watch.ts';
import type { RequestInfo } from './request-info.ts';
import { storedValue } from './registry/object-codec.ts';
import type { RestStorage } from './rest/storage.ts';
import type { ResourceScope } from './services/resource-scope.ts';
import type { VerbRoute } from './routing/resource-routes.ts';

export interface RoutePart {
  /** `handler`, `store`, `validation` */
  readonly part: string;
  /** A description, if the part alone is not clear enough. */
  readonly does: string;
  readonly work: Work;
}

/** @param whole the scope of the object to which a subresource belongs */
export function routeParts(
  scope: ResourceScope,
  route: VerbRoute,
  info: RequestInfo,
  whole: ResourceScope | undefined,
): readonly RoutePart[] {
  const isWatch = info.verb === 'watch' || info.verb === 'watchlist';
  const method = isWatch ? 'watch' : methodOf(scope.storage, route.step);
  const handler = isWatch ? serveWatch : route.handler;
  const writes = isWatch ? undefined : operations[route.step];
  return [
    part('handler', '', handler),
    ...(scope.identity || method === 'connect' ? [] : conversions(scope, writes !== undefined)),
    ...(writes === 'CREATE' || writes === 'UPDATE' ? beforeAdmission(scope) : []),
    ...(writes === undefined ? [] : admission(scope, writes, 'mutate')),
    ...partIf('store', `${storeName(scope.storage)}.${method}`, memberOf(scope.storage, method)),
    ...(writes === 'CREATE' || writes === 'UPDATE' ? rules(scope, whole, writes) : []),
    ...(writes === undefined ? [] : admission(scope, writes, 'validate')),
    ...codec(scope, whole, writes),
  ];
}

/** A log is streamed; there is no object to get. */
function methodOf(storage: RestStorage, step: string): string {
  const method = storeMethods[step] ?? step;
  return method === 'get' && storage.get === undefined ? 'stream' : method;
}

/** What is written: a subresource changes the object to which it belongs; a subresource that is posted is not stored itself. */
function codec(
  { storage, subresource }: ResourceScope,
  whole: ResourceScope | undefined,
  writes: AdmissionOperation | undefined,
): readonly RoutePart[] {
  const isStored = writes === 'UPDATE' || (writes === 'CREATE' && subresource === '');
  const { storagePrefix, kind } = whole?.storage ?? storage;
  if (!isStored || storagePrefix === undefined) return [];
  const does = `stored as ${kind.apiVersion}, in JSON unless the server is configured otherwise`;
  return [part('codec', does, storedValue)];
}

/** Most stores are classes; a subresource often has an object of its own. */
const storeName = ({ constructor }: object): string =>
  constructor === Object ? 'own store' : constructor.name;

/** The store's method for a route's step, where the names differ. */
const storeMethods: Readonly<Record<string, string>> = {
  post: 'create',
  put: 'update',
  patch: 'update',
  deletecollection: 'deleteCollection',
};

const operations: Readonly<Record<string, AdmissionOperation>> = {
  post: 'CREATE',
  put: 'UPDATE',
  patch: 'UPDATE',
  delete: 'DELETE',
  deletecollection: 'DELETE',
  connect: 'CONNECT',
};

const part = (name: string, does: string, work: Work): RoutePart => ({ part: name, does, work });

/** The part, if it exists. */
const partIf = (name: string, does: string, work: Work | undefined): readonly RoutePart[] =>
  work === undefined ? [] : [part(name, does, work)];

function memberOf(holder: object, name: string): Work | undefined {
  const member: unknown = (holder as Record<string, unknown>)[name];
  return typeof member === 'function' ? member : undefined;
}

const conversions = (scope: ResourceScope, isWrite: boolean): readonly RoutePart[] => {
  const [own, stored] = [scope.kind.apiVersion, scope.storage.kind.apiVersion];
  return [
    ...(isWrite ? [part('conversion', `${own} → ${stored}`, scope.toStorage)] : []),
    part('conversion', `${stored} → ${own}`, scope.fromStorage),
  ];
};

const beforeAdmission = ({ kind }: ResourceScope): readonly RoutePart[] =>
  (kind.behaviour.defaults ?? []).map((work) => part('defaulting', 'what depends on other fields', work));

const admission = (
  { services, groupResource }: ResourceScope,
  operation: AdmissionOperation,
  phase: 'mutate' | 'validate',
): readonly RoutePart[] =>
  services.admission
    .pluginsOf(phase, operation, groupResource)
    .map((plugin) => part(`admission, ${phase}`, plugin.name, plugin[phase]!));

/**
 * The rules of the strategy, then those of the stored kind. A subresource with a store of its own, such as `scale`,
 * updates its object as a whole.
 */
function rules(
  scope: ResourceScope,
  whole: ResourceScope | undefined,
  operation: 'CREATE' | 'UPDATE',
): readonly RoutePart[] {
  const isCreate = operation === 'CREATE';
  const isWhole = !isCreate && scope.storage.strategy === undefined && whole !== undefined;
  const { storage, kind, subresource } = isWhole ? whole : scope;
  const { strategy } = storage;
  const own = (whole ?? scope).storage.kind.behaviour;
  const validate =
    subresource === ''
      ? own.validate
      : subresource === 'status'
        ? own.validateStatus
        : own.validateSubresource?.[subresource];
  return [
    ...partIf(
      'strategy',
      'what is allocated or checked first',
      isCreate ? strategy?.beginCreate : strategy?.beginUpdate,
    ),
    ...partIf(
      'strategy',
      'what a client may not set',
      isCreate ? strategy?.prepareForCreate : strategy?.prepareForUpdate,
    ),
    ...partIf('validation', "the strategy's", isCreate ? strategy?.validate : strategy?.validateUpdate),
    ...partIf('validation', `the rules of ${kind.kind}`, validate),
  ];
}
