/** Stores and endpoints out of the groups' descriptions. */
import { tablelessScope } from '@coxswain/apiserver/negotiation/negotiate.ts';
import { forbidden } from '@coxswain/apimachinery';
import { GenericStore } from '@coxswain/apiserver/generic-store.ts';
import type {
  ApiGroup,
  ApiRequest,
  ApiResource,
  ApiVersion,
  DeleteOptions,
  RestStorage,
  Strategy,
} from '@coxswain/apiserver';
import { definitionDeletion } from '../apiextensions/definition-deletion.ts';
import type { RuntimeConfig } from '../runtime-config.ts';
import type { ResourceStores } from '../server-stores.ts';
import type { IsUncached } from '../uncached-resources.ts';
import { namespaceDeletion } from './core/namespace/deletion.ts';
import type { AnyObject, Group, GroupVersionSwitch, OtherVersion, Resource } from './resource.ts';
import { scaleStorage } from './scale/scale-storage.ts';
import type { Services } from './services.ts';
import { storageVersionHash } from './storage-version-hash.ts';
import { statusStrategyOf, strategyOf } from './strategy.ts';
import { convertible, endpointForm, formIn, servedForms, storeIn, type IsServed } from './version-form.ts';
import { delegatingTo, readAndUpdate, type Store, type StoredResource, type Stores } from './stores.ts';

export interface InstallOptions {
  readonly where: Pick<ResourceStores, 'storageFor' | 'storedForm'>;
  readonly services: Services;
  readonly isUncached: IsUncached;
  readonly runtimeConfig: RuntimeConfig;
}

interface Installation extends InstallOptions {
  readonly isServed: IsServed;
}

export interface InstalledGroups {
  readonly groups: readonly ApiGroup[];
  readonly stores: StoreTable;
}

/** Fields that lists and watches are asked for by so often that an index pays. */
const indexedFields: Readonly<Record<string, readonly string[]>> = { pods: ['spec.nodeName'] };

export function installGroups(groups: readonly Group[], options: InstallOptions): InstalledGroups {
  const stores = new StoreTable(options);
  const installation = { ...options, isServed: servedForms(groups, options.runtimeConfig) };
  for (const { resources } of groups) for (const resource of resources) stores.add(resource);
  return {
    stores,
    groups: groups.flatMap((group) => {
      const versions = group.versions
        .map((version) => apiVersion(group, version, stores, installation))
        .filter(({ resources }) => Object.keys(resources).length > 0);
      return versions.length === 0 ? [] : [{ name: group.name, versions }];
    }),
  };
}

export class StoreTable implements Stores {
  readonly #options: InstallOptions;
  readonly #stores = new Map<string, Store & { readonly main: GenericStore }>();

  constructor(options: InstallOptions) {
    this.#options = options;
  }

  add(resource: Resource): void {
    const { kind } = resource;
    const key = keyOf(kind.group, kind.names!.plural);
    if (this.#stores.has(key)) return;
    const { where, services, isUncached } = this.#options;
    const groupResource = { group: kind.group, resource: kind.names!.plural };
    const main = new GenericStore({
      resource: groupResource,
      uncached: isUncached(groupResource),
      kind,
      otherVersions: resource.alsoAs.map((form) => convertible(kind, form)),
      strategy: strategyOf(resource, services) as Strategy,
      storage: where.storageFor(groupResource),
      storedForm: where.storedForm(groupResource),
      prefix: `/registry/${resource.prefix}`,
      indexedFields: indexedFields[kind.names!.plural] ?? [],
      clock: services.clock,
      newUid: services.newUid,
      random: services.random,
      collectionDeletable: resource.collectionDeletable,
    });
    const withStrategy = (strategy: Strategy<AnyObject>) => writtenBy(main, strategy as Strategy);
    const status = resource.status && withStrategy(statusStrategyOf(resource, services));
    this.#stores.set(key, { resource, main: main as typeof main & StoredResource, status, withStrategy });
  }

  of(group: string, resource: string): Store & { readonly main: GenericStore } {
    const store = this.#stores.get(keyOf(group, resource));
    if (store === undefined) throw new Error(`no store for ${resource} of group ${JSON.stringify(group)}`);
    return store;
  }

  find(group: string, resource: string): (Store & { readonly main: GenericStore }) | undefined {
    return this.#stores.get(keyOf(group, resource));
  }

  all(): Iterable<Store & { readonly main: GenericStore }> {
    return this.#stores.values();
  }
}

const keyOf = (group: string, resource: string): string => `${resource}.${group}`;

/** The same objects, with the rules of another endpoint for updates. */
export const writtenBy = (store: GenericStore, strategy: Strategy): StoredResource =>
  ({
    kind: store.kind,
    namespaced: store.namespaced,
    get: (...args) => store.get(...args),
    list: (...args) => store.list(...args),
    watch: (...args) => store.watch(...args),
    create: (request, object, options, validate) => store.create(request, object, options, validate),
    update: (...args) => store.updateWith(strategy, ...args),
    delete: (...args) => store.delete(...args),
    deleteCollection: (...args) => store.deleteCollection!(...args),
    resetFields: strategy.resetFields,
  }) as StoredResource;

function apiVersion(
  group: Group,
  version: GroupVersionSwitch,
  stores: StoreTable,
  { services, runtimeConfig, isServed }: Installation,
): ApiVersion {
  const resources: Record<string, ApiResource> = {};
  for (const resource of group.resources) {
    const form = formIn(resource, group.name, version.version);
    if (form === undefined || !isServed(form)) continue;
    Object.assign(resources, endpointsOf(resource, form, stores, { services, isServed }));
  }
  for (const { name, versions, legacy = false, resource } of group.virtual ?? []) {
    if (!versions.includes(version.version)) continue;
    if (runtimeConfig.serves(group.name, version, name, legacy)) resources[name] = resource(stores, services);
  }
  return { version: version.version, resources: byPath(resources) };
}

function endpointsOf(
  resource: Resource,
  form: OtherVersion,
  stores: StoreTable,
  { services, isServed }: Pick<Installation, 'services' | 'isServed'>,
): Record<string, ApiResource> {
  const { kind } = form;
  const { plural, shortNames, categories } = kind.names!;
  const store = storeIn(form, stores.of(resource.kind.group, resource.kind.names!.plural), services);
  const inVersion = endpointForm(resource, form, isServed);
  const endpoints: Record<string, ApiResource> = {
    [plural]: {
      ...inVersion,
      storage: mainStorage(store),
      singularName: kind.names!.singular ?? kind.kind.toLowerCase(),
      ...(shortNames === undefined ? {} : { shortNames }),
      ...(categories === undefined ? {} : { categories }),
      storageVersionHash: storageVersionHash(resource),
    },
  };
  if (store.status !== undefined && form.hasStatusEndpoint !== false) {
    endpoints[`${plural}/status`] = {
      ...inVersion,
      storage: readAndUpdate(store.status),
      ...(resource.status?.hasTable === false && { negotiation: tablelessScope }),
    };
  }
  if (resource.scale !== undefined) endpoints[`${plural}/scale`] = scaleEndpoint(store, resource.scale, form);
  const others = { ...resource.subresources?.(stores, services), ...form.subresources?.(stores, services) };
  for (const [name, endpoint] of Object.entries(others)) {
    const isOfResource = endpoint.kind === undefined && endpoint.storage.kind === resource.kind;
    endpoints[`${plural}/${name}`] = isOfResource ? { ...inVersion, ...endpoint } : endpoint;
  }
  return endpoints;
}

function scaleEndpoint(
  store: Store,
  rule: NonNullable<Resource['scale']>,
  { kind, scale }: OtherVersion,
): ApiResource {
  const storage = scaleStorage(store, rule, kind.apiVersion);
  if (scale === undefined) {
    return { storage, discoveryKind: { group: 'autoscaling', version: 'v1', kind: 'Scale' } };
  }
  const { group, version } = scale.kind;
  const discoveryKind = { group, version, kind: 'Scale' };
  return { ...scale, storage, discoveryKind, versions: [{ kind: storage.kind }, scale] };
}

function mainStorage(store: Store & { readonly main: GenericStore }): RestStorage {
  const { kind, deletionWarning, undeletable } = store.resource;
  if (kind.kind === 'Namespace' && kind.group === '') return namespaceDeletion(store);
  if (kind.kind === 'CustomResourceDefinition') return definitionDeletion(store);
  if (undeletable !== undefined) return keeping(store.main, undeletable);
  return deletionWarning === undefined ? store.main : warningOfDeletion(store.main, deletionWarning);
}

/** The same store, which doesn't part with some of its objects one by one. */
function keeping(main: GenericStore, { names, reason }: NonNullable<Resource['undeletable']>): RestStorage {
  return {
    ...delegatingTo(main),
    delete(request, name, options, validate) {
      if (names.includes(name)) throw forbidden(main.resource, name, reason);
      return main.delete(request, name, options, validate);
    },
    deleteCollection: (...args) => main.deleteCollection!(...args),
  };
}

/** The same store, which warns who deletes without saying what becomes of the dependents. */
function warningOfDeletion(main: GenericStore, warning: string): RestStorage {
  const warn = (request: ApiRequest, { orphanDependents, propagationPolicy }: DeleteOptions) => {
    if (orphanDependents === undefined && propagationPolicy === undefined) request.warn(warning);
  };
  return {
    ...delegatingTo(main),
    delete(request, name, options, validate) {
      warn(request, options);
      return main.delete(request, name, options, validate);
    },
    deleteCollection(request, options, listOptions, validate) {
      warn(request, options);
      return main.deleteCollection!(request, options, listOptions, validate);
    },
  };
}

const byPath = (resources: Record<string, ApiResource>): Record<string, ApiResource> =>
  Object.fromEntries(Object.entries(resources).toSorted(([a], [b]) => (a < b ? -1 : 1)));
