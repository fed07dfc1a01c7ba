/** Installs an API group into the verb table: the capabilities of a resource's storage determine its verbs. */
import type { KubeObject } from '@coxswain/apimachinery';
import type { Kind } from '@coxswain/schema';
import type { ApiGroup, ApiResource, ApiVersion } from './api-group.ts';
import { endpointFields } from './endpoint-fields.ts';
import { connect, stream } from './handlers/connect.ts';
import { create } from './handlers/create.ts';
import { deleteCollection } from './handlers/delete-collection.ts';
import { remove } from './handlers/delete.ts';
import { get } from './handlers/get.ts';
import type { Handler } from './handlers/handler.ts';
import { list } from './handlers/list.ts';
import { patch } from './handlers/patch.ts';
import { update } from './handlers/update.ts';
import { RequestMetrics } from './metrics/request-metrics.ts';
import { WatchMetrics } from './metrics/watch-metrics.ts';
import { tablelessScope, resourceScope as resourceNegotiation } from './negotiation/negotiate.ts';
import type { ResourceScope } from './services/resource-scope.ts';
import type { RestStorage } from './rest/storage.ts';
import { defaultTable } from './rest/table.ts';
import type { ResourceRoutes, RouteTable, VerbRoute, VersionRoutes } from './routing/resource-routes.ts';
import type { ServerServices } from './services/services.ts';

export interface InstallOptions {
  readonly services: ServerServices;
  /** Whether managedFields are maintained; true if unset. */
  readonly managesFields?: boolean;
}

/** @throws Error when a group version is already installed */
export function installGroup(table: RouteTable, group: ApiGroup, options: InstallOptions): void {
  for (const version of group.versions) {
    const groupVersion = group.name === '' ? version.version : `${group.name}/${version.version}`;
    if (table.has(groupVersion)) throw new Error(`group version ${groupVersion} is registered twice`);
    table.set(groupVersion, new InstalledVersion(group, version, options));
  }
}

type KnownRoutes = WeakMap<ApiResource, ResourceRoutes>;
const knownRoutes = new WeakMap<InstallOptions, KnownRoutes>();

/** A group that is installed again mostly has the same resources as before, so their routes are reused. */
function routesKnownTo(options: InstallOptions): KnownRoutes {
  let known = knownRoutes.get(options);
  if (known === undefined) knownRoutes.set(options, (known = new WeakMap<ApiResource, ResourceRoutes>()));
  return known;
}

/** The routes of one group version, each created on the first request: many servers never use most of them. */
class InstalledVersion implements VersionRoutes {
  readonly isCustom: boolean;
  readonly #group: ApiGroup;
  readonly #version: ApiVersion;
  readonly #options: InstallOptions;
  readonly #made = new Map<string, ResourceRoutes>();

  constructor(group: ApiGroup, version: ApiVersion, options: InstallOptions) {
    this.#group = group;
    this.#version = version;
    this.#options = options;
    this.isCustom = Object.values(version.resources).some(({ custom }) => custom !== undefined);
  }

  get(path: string): ResourceRoutes | undefined {
    return this.#made.get(path) ?? this.#make(path);
  }

  *all(): Iterable<ResourceRoutes> {
    for (const path of Object.keys(this.#version.resources)) yield this.get(path)!;
  }

  #make(path: string): ResourceRoutes | undefined {
    const { resources } = this.#version;
    const resource = Object.hasOwn(resources, path) ? resources[path] : undefined;
    if (resource === undefined) return undefined;
    const known = routesKnownTo(this.#options);
    let made = known.get(resource);
    if (made === undefined) {
      const scope = scopeOf(this.#group, this.#version, path, resource, this.#options);
      made = resourceRoutes(scope);
      // Only CustomResourceDefinitions replace their groups, with all versions of a resource at once.
      if (resource.custom !== undefined) known.set(resource, made);
    }
    this.#made.set(path, made);
    return made;
  }
}

function scopeOf(
  group: ApiGroup,
  { version }: ApiVersion,
  path: string,
  resource: ApiResource,
  { services, managesFields = true }: InstallOptions,
): ResourceScope {
  const { storage, conversion } = resource;
  const [name = '', subresource = ''] = path.split('/');
  const kind = resource.kind ?? storage.kind;
  const identity = conversion === undefined && kind.apiVersion === storage.kind.apiVersion;
  const toStorage = conversion?.toStorage ?? exchangeVersion(storage.kind.apiVersion);
  const converted = rememberingOrigin(conversion?.fromStorage ?? exchangeVersion(kind.apiVersion));
  const scope = {
    group: group.name,
    version,
    resource: name,
    subresource,
    groupResource: { group: group.name, resource: name },
    namespaced: storage.namespaced,
    storage,
    kind,
    bodyKinds: resource.bodyKinds ?? [kind],
    knownKinds: resource.versions?.map((form) => form.kind) ?? [kind],
    identity,
    toStorage,
    fromStorage: converted.fromStorage,
    negotiation: resource.negotiation ?? (isReadable(storage) ? resourceNegotiation : tablelessScope),
    table: storage.table ?? tableOfKind(kind) ?? tableThrough(converted.originOf, toStorage, storage.kind),
    itemsHaveKind: resource.itemsHaveKind ?? false,
    isCustom: resource.custom !== undefined,
    deprecation: resource.deprecation,
    watchMetrics: new WatchMetrics(services.metrics, { group: group.name, version, resource: name }),
    services,
  };
  const isManaged = managesFields && resource.managedFields !== false;
  return { ...scope, fields: isManaged ? endpointFields(scope, resource, group, services.clock) : undefined };
}

const isReadable = ({ get, list }: RestStorage): boolean => get !== undefined || list !== undefined;

const exchangeVersion =
  (apiVersion: string) =>
  (object: KubeObject): KubeObject => ({ ...object, apiVersion });

const tableOfKind = ({ behaviour }: Kind): ResourceScope['table'] | undefined => {
  const { columns, rowConditions, rowOrder } = behaviour;
  return columns && { columns, rowConditions, rowOrder };
};

/** Wraps a conversion so that the source of each result can be found while the result lives. */
function rememberingOrigin(convert: ResourceScope['fromStorage']) {
  let origins: WeakMap<KubeObject, KubeObject> | undefined;
  return {
    originOf: (object: KubeObject): KubeObject | undefined => origins?.get(object),
    fromStorage(object: KubeObject): KubeObject {
      const form = convert(object);
      (origins ??= new WeakMap()).set(form, object);
      return form;
    },
  };
}

/** Renders the table of a version without columns of its own through the stored version. */
function tableThrough(
  originOf: (object: KubeObject) => KubeObject | undefined,
  toStorage: ResourceScope['toStorage'],
  stored: Kind,
): ResourceScope['table'] {
  const { columns } = stored.behaviour as Kind<unknown, KubeObject>['behaviour'];
  if (columns === undefined) return defaultTable;
  const storedForm = (object: KubeObject): KubeObject => originOf(object) ?? toStorage(object);
  return {
    columns: columns.map((column) => ({
      ...column,
      cell: (object: KubeObject, nowMs: number) => column.cell(storedForm(object), nowMs),
    })),
  };
}

/** What each capability offers; discovery's verbs come from the same list. */
interface Offer {
  readonly capability: keyof RestStorage;
  readonly at: 'collection' | 'item';
  readonly method: string;
  readonly verb: string;
  readonly handler: Handler;
}

const offers: readonly Offer[] = [
  { capability: 'list', at: 'collection', method: 'GET', verb: 'LIST', handler: list },
  {
    capability: 'create',
    at: 'collection',
    method: 'POST',
    verb: 'POST',
    handler: create,
  },
  {
    capability: 'deleteCollection',
    at: 'collection',
    method: 'DELETE',
    verb: 'DELETECOLLECTION',
    handler: deleteCollection,
  },
  { capability: 'get', at: 'item', method: 'GET', verb: 'GET', handler: get },
  { capability: 'stream', at: 'item', method: 'GET', verb: 'GET', handler: stream },
  { capability: 'update', at: 'item', method: 'PUT', verb: 'PUT', handler: update },
  { capability: 'update', at: 'item', method: 'PATCH', verb: 'PATCH', handler: patch },
  { capability: 'delete', at: 'item', method: 'DELETE', verb: 'DELETE', handler: remove },
];

function resourceRoutes(scope: ResourceScope): ResourceRoutes {
  const { storage } = scope;
  const isSubresource = scope.subresource !== '';
  const collection: Record<string, VerbRoute> = {};
  const item: Record<string, VerbRoute> = {};
  for (const { capability, at, method, verb, handler } of offers) {
    if (storage[capability] === undefined) continue;
    if (method === 'PATCH' && (storage.patchable === false || storage.get === undefined)) continue;
    // Below an object all requests use that object's path.
    const isAtItem = at === 'item' || isSubresource;
    (isAtItem ? item : collection)[method] = new InstalledVerb(scope, verb, handler);
  }
  for (const method of storage.connectMethods ?? []) {
    item[method] = new InstalledVerb(scope, 'CONNECT', connect);
  }
  return { scope, collection, item, takesPath: storage.connect !== undefined };
}

class InstalledVerb implements VerbRoute {
  readonly handler: Handler;
  readonly step: string;
  readonly #verb: string;
  readonly #scope: ResourceScope;
  #metrics: RequestMetrics | undefined;
  #label: string | undefined;

  constructor(scope: ResourceScope, verb: string, handler: Handler) {
    this.handler = handler;
    this.step = shared(verb.toLowerCase());
    this.#verb = verb;
    this.#scope = scope;
  }

  get label(): string {
    return (this.#label ??= `${apiVerbs[this.#verb] ?? this.step} ${pathOf(this.#scope)}`);
  }

  get metrics(): RequestMetrics {
    return (this.#metrics ??= new RequestMetrics(
      this.#scope.services.metrics,
      shared(this.#verb),
      this.#scope,
    ));
  }
}

const apiVerbs: Readonly<Record<string, string>> = { POST: 'create', PUT: 'update' };

const pathOf = ({ resource, subresource }: ResourceScope): string =>
  subresource === '' ? resource : `${resource}/${subresource}`;

/** Shares one string among all routes of all servers in a process. */
function shared(text: string): string {
  const known = sharedTexts.get(text);
  if (known === undefined) sharedTexts.set(text, text);
  return known ?? text;
}

const sharedTexts = new Map<string, string>();
