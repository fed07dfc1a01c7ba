/** Objects by key, with indexes; filled by informers and read by listers. Objects are shared and immutable. */

import type { KubeObject, LabelSelector } from '@coxswain/apimachinery';
import { objectKey } from './object-key.ts';

/** The values under which an object is found. */
export type IndexFunction<T> = (object: T) => readonly string[];

/** Index functions by the name of the index. */
export type Indexers<T> = Readonly<Record<string, IndexFunction<T>>>;

/**
 * Reads objects from memory. They are shared: do not modify them.
 * @example
 * const pods: Lister<KubeObject & Pod> = informers.informer<KubeObject & Pod>(podsResource, { node: (pod) => [pod.spec.nodeName ?? ''] }).lister;
 * const web = pods.get('web', 'default') ?? pods.byKey('default/web');
 * const inNamespace = pods.list('default');
 * const onNode = pods.byIndex('node', 'node-0');
 */
export interface Lister<T extends KubeObject> {
  /** Returns the object, or undefined. Omit the namespace for cluster-scoped objects. */
  get(name: string, namespace?: string): T | undefined;
  /** Returns the object with a key made by {@link objectKey}. */
  byKey(key: string): T | undefined;
  /** Returns all objects of a namespace, or of all namespaces, in no particular order. */
  list(namespace?: string, selector?: LabelSelector): T[];
  /** Returns the objects for which the index function `index` returned `value`. */
  byIndex(index: string, value: string): T[];
  readonly size: number;
}

const noObjects: ReadonlyMap<string, never> = new Map<string, never>();

/**
 * Objects by key, with indexes. An {@link Informer} fills one; use your own for objects from elsewhere.
 * @example
 * const store = new Store<KubeObject>({ label: ({ metadata }) => Object.keys(metadata.labels ?? {}) });
 * store.addIndex('owner', ({ metadata }) => (metadata.ownerReferences ?? []).map(({ uid }) => uid));
 * const before = store.set(object);
 * console.log([...store.keys()], [...store.values()], store.list('default'), store.byIndex('label', 'app'));
 * console.log(store.get('web', 'default') === store.byKey('default/web'));
 * store.delete('default/web');
 */
export class Store<T extends KubeObject> implements Lister<T> {
  readonly #objects = new Map<string, T>();
  #namespaces: Entries<T> | undefined;
  #indexes: Map<string, { readonly of: IndexFunction<T>; readonly entries: Entries<T> }> | undefined;

  constructor(indexers: Indexers<T> = {}) {
    for (const [name, of] of Object.entries(indexers)) this.addIndex(name, of);
  }

  get size(): number {
    return this.#objects.size;
  }

  /** Adds an index, also over existing objects. An existing index of the same name is kept. */
  addIndex(name: string, of: IndexFunction<T>): void {
    if (this.#indexes?.has(name)) return;
    const entries: Entries<T> = new Map();
    (this.#indexes ??= new Map()).set(name, { of, entries });
    for (const [key, object] of this.#objects)
      for (const value of of(object)) enter(entries, value, key, object);
  }

  get(name: string, namespace = ''): T | undefined {
    return this.#objects.get(namespace === '' ? name : `${namespace}/${name}`);
  }

  byKey(key: string): T | undefined {
    return this.#objects.get(key);
  }

  /** The keys of all objects. */
  keys(): IterableIterator<string> {
    return this.#objects.keys();
  }

  /** All objects, in no particular order. */
  values(): IterableIterator<T> {
    return this.#objects.values();
  }

  list(namespace = '', selector?: LabelSelector): T[] {
    const objects = namespace === '' ? this.#objects : (this.#namespaces?.get(namespace) ?? noObjects);
    if (selector === undefined || selector.everything) return [...objects.values()];
    const selected: T[] = [];
    for (const object of objects.values())
      if (selector.matches(object.metadata.labels)) selected.push(object);
    return selected;
  }

  byIndex(index: string, value: string): T[] {
    const found = this.#indexes?.get(index);
    if (found === undefined) throw new Error(`Index with name ${index} does not exist`);
    return [...(found.entries.get(value) ?? noObjects).values()];
  }

  /** Replaces the object with the same key and returns the previous one. */
  set(object: T): T | undefined {
    const key = objectKey(object);
    const before = this.#objects.get(key);
    this.#objects.set(key, object);
    const namespace = object.metadata.namespace;
    if (namespace) enter((this.#namespaces ??= new Map()), namespace, key, object);
    if (this.#indexes !== undefined)
      for (const { of, entries } of this.#indexes.values()) reindex(of, entries, key, before, object);
    return before;
  }

  /** Removes an object and returns it; undefined if there was none. */
  delete(key: string): T | undefined {
    const before = this.#objects.get(key);
    if (before === undefined) return undefined;
    this.#objects.delete(key);
    if (before.metadata.namespace && this.#namespaces !== undefined)
      leave(this.#namespaces, before.metadata.namespace, key);
    for (const { of, entries } of this.#indexes?.values() ?? [])
      for (const value of of(before)) leave(entries, value, key);
    return before;
  }
}

type Entries<T> = Map<string, Map<string, T>>;

function reindex<T>(
  of: IndexFunction<T>,
  entries: Entries<T>,
  key: string,
  before: T | undefined,
  after: T,
): void {
  const values = of(after);
  if (before !== undefined) {
    const former = of(before);
    const kept = former.length > 1 ? new Set(values) : undefined;
    for (const value of former) if (!(kept?.has(value) ?? values.includes(value))) leave(entries, value, key);
  }
  for (const value of values) enter(entries, value, key, after);
}

function enter<T>(entries: Entries<T>, value: string, key: string, object: T): void {
  let bucket = entries.get(value);
  if (bucket === undefined) entries.set(value, (bucket = new Map()));
  bucket.set(key, object);
}

function leave<T>(entries: Entries<T>, value: string, key: string): void {
  const bucket = entries.get(value);
  if (bucket?.delete(key) && bucket.size === 0) entries.delete(value);
}
