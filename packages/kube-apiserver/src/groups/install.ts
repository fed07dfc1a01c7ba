/** Creates stores and endpoints from the groups' descriptions. */
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
import { definitionDeletion } from './apiextensions/definition-deletion.ts';
import type { ResourceStores } from '../server-stores.ts';
import type { IsUncached } from '../uncached-resources.ts';
import { namespaceDeletion } from './core/namespace/deletion.ts';
import { servedKinds, type ServingRules } from './served-kinds.ts';
import type { Group, OtherVersion, Resource, Store, StoredResource } from './resource.ts';
import type { AnyObject } from './any-object.ts';
import type { GroupVersionSwitch } from '../runtime-config.ts';
import { scaleStorage } from './scale/scale-storage.ts';
import type { Services } from './services.ts';
import { storageForm, storageVersionHash } from './storage-version.ts';
import { statusStrategyOf, strategyOf } from './strategy.ts';
import { convertible, endpointForm, formIn, storeIn, type IsServed } from './version-form.ts';
import { writtenBy, type StoreRegistry, type InstalledStore } from './store-registry.ts';
import { delegatingTo, readAndUpdate } from './stores.ts';

export interface InstallOptions extends ServingRules {
  readonly where: Pick<ResourceStores, 'storageFor' | 'storedForm'>;
  readonly services: Services;
  readonly isUncached: IsUncached;
}

interface Installation extends InstallOptions {
  readonly isServed: IsServed;
}

/** Fields that list and watch selectors use so often that an index pays off. */
const indexedFields: Readonly<Record<string, readonly string[]>> = { pods: ['spec.nodeName'] };

/** Registers a store for each resource, and passes the served groups on. */
export function installGroups(
  groups: readonly Group[],
  stores: StoreRegistry,
  options: InstallOptions,
): readonly ApiGroup[] {
  const kinds = servedKinds(groups, options);
  const installation = { ...options, isServed: ({ kind }: OtherVersion) => kinds.has(kind) };
  for (const { resources } of groups)
    for (const resource of resources)
      if (!stores.has(resource)) stores.add(installedStore(resource, options));
  return groups.flatMap((group) => {
    const versions = group.versions
      .map((version) => apiVersion(group, version, stores, installation))
      .filter(({ resources }) => Object.keys(resources).length > 0);
    return versions.length === 0 ? [] : [{ name: group.name, versions }];
  });
}

function installedStore(resource: Resource, { where, services, isUncached }: InstallOptions): InstalledStore {
  const { kind } = resource;
  const storedAs = storageForm(resource, services.features.version.minCompatibility);
  const groupResource = { group: kind.group, resource: kind.names!.plural };
  const main = new GenericStore({
    resource: groupResource,
    uncached: isUncached(groupResource),
    listsFromSnapshots: services.features.enabled('ListFromCacheSnapshot'),
    kind,
    otherVersions: resource.alsoAs.map((form) => convertible(kind, form)),
    strategy: strategyOf(resource, services) as Strategy,
    storage: where.storageFor(groupResource),
    storedForm: where.storedForm(groupResource),
    storedAs: storedAs && convertible(kind, storedAs),
    prefix: `/registry/${resource.prefix}`,
    indexedFields: indexedFields[kind.names!.plural] ?? [],
    clock: services.clock,
    newUid: services.newUid,
    random: services.random,
    collectionDeletable: resource.collectionDeletable,
  });
  const withStrategy = (strategy: Strategy<AnyObject>) => writtenBy(main, strategy as Strategy);
  const status = resource.status && withStrategy(statusStrategyOf(resource, services));
  return { resource, main: main as typeof main & StoredResource, status, withStrategy };
}

function apiVersion(
  group: Group,
  version: GroupVersionSwitch,
  stores: StoreRegistry,
  { services, runtime, isServed }: Installation,
): ApiVersion {
  const resources: Record<string, ApiResource> = {};
  for (const resource of group.resources) {
    const form = formIn(resource, group.name, version.version);
    if (form === undefined || !isServed(form)) continue;
    Object.assign(resources, endpointsOf(resource, form, stores, { services, isServed }));
  }
  for (const { name, versions, legacy = false, resource } of group.virtual ?? []) {
    if (!versions.includes(version.version)) continue;
    if (runtime.serves(group.name, version, name, legacy)) resources[name] = resource(stores, services);
  }
  return { version: version.version, resources: byPath(resources) };
}

function endpointsOf(
  resource: Resource,
  form: OtherVersion,
  stores: StoreRegistry,
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
      storageVersionHash: storageVersionHash(resource, services.features.version.minCompatibility),
    },
  };
  if (store.status !== undefined && form.hasStatusEndpoint !== false) {
    endpoints[`${plural}/status`] = {
      ...inVersion,
      storage: readAndUpdate(store.status, resource.status?.creates === 'by apply'),
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

/** The same store, except that some of its objects cannot be deleted individually. */
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

/** The same store, with a warning for deletions that don't say what happens to dependents. */
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
