/**
 * The stores of a server by resource. It is created before its readers, and filled as groups are installed and custom
 * resources defined.
 */
import type { Strategy } from '@coxswain/apiserver';
import type { GenericStore } from '@coxswain/apiserver/generic-store.ts';
import type { Resource, Store, StoredResource, Stores } from './resource.ts';

export type InstalledStore = Store & { readonly main: GenericStore };

export class StoreRegistry implements Stores {
  readonly #builtIn = new Map<string, InstalledStore>();
  readonly #custom = new Map<string, GenericStore>();

  has({ kind }: Resource): boolean {
    return this.#builtIn.has(keyOf(kind.group, kind.names!.plural));
  }

  add(store: InstalledStore): void {
    const { kind } = store.resource;
    this.#builtIn.set(keyOf(kind.group, kind.names!.plural), store);
  }

  of(group: string, resource: string): InstalledStore {
    const store = this.find(group, resource);
    if (store === undefined) throw new Error(`no store for ${resource} of group ${JSON.stringify(group)}`);
    return store;
  }

  find(group: string, resource: string): InstalledStore | undefined {
    return this.#builtIn.get(keyOf(group, resource));
  }

  /** Without custom resources. */
  all(): Iterable<InstalledStore> {
    return this.#builtIn.values();
  }

  /** The store of a resource, built-in or custom. */
  storeOf(group: string, resource: string): GenericStore | undefined {
    const key = keyOf(group, resource);
    return this.#builtIn.get(key)?.main ?? this.#custom.get(key);
  }

  /** @param name the definition's name: `widgets.example.com` */
  addCustom(name: string, store: GenericStore): void {
    this.#custom.set(name, store);
  }

  removeCustom(name: string): void {
    this.#custom.delete(name);
  }
}

/** Also the name of a definition. */
const keyOf = (group: string, resource: string): string => `${resource}.${group}`;

/** The same objects, updated by the strategy of another endpoint. */
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
    strategy,
    resetFields: strategy.resetFields,
  }) as StoredResource;
