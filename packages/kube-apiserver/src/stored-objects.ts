/**
 * The server's own reader: straight from the caches, synchronous once they are filled. With a remote store they may lag
 * behind others' writes, like upstream's informers; a missing object is then read from the store.
 */
import type { GroupResource, KubeObject } from '@coxswain/apimachinery';
import type { GenericStore } from '@coxswain/apiserver/generic-store.ts';
import type { ObjectReader } from './object-reader.ts';
import type { StoreRegistry } from './groups/store-registry.ts';

export const storedObjects = (stores: Pick<StoreRegistry, 'storeOf'>): ObjectReader => ({
  get<T>({ group, resource }: GroupResource, namespace: string, name: string) {
    const store = stores.storeOf(group, resource);
    if (store === undefined || name === '') return undefined;
    const key = `${directoryOf(store, namespace)}${name}`;
    const known = store.cache.get(key, store.cache.writtenRevision);
    const found = known ?? store.cache.get(key);
    return found instanceof Promise
      ? found.then((later) => later?.object as T | undefined)
      : (found?.object as T | undefined);
  },
  list<T>({ group, resource }: GroupResource, namespace: string) {
    const store = stores.storeOf(group, resource);
    if (store === undefined || store.cache.isEmpty) return noObjects;
    const listed = store.cache.list({
      scope: directoryOf(store, namespace),
      notOlderThan: store.cache.writtenRevision,
    });
    return listed instanceof Promise ? listed.then(objectsOf<T>) : objectsOf<T>(listed);
  },
});

const directoryOf = ({ storagePrefix, namespaced }: GenericStore, namespace: string): string =>
  namespaced && namespace !== '' ? `${storagePrefix}/${namespace}/` : `${storagePrefix}/`;

const objectsOf = <T>({
  objects,
}: {
  readonly objects: readonly { readonly object: KubeObject }[];
}): readonly T[] => (objects.length === 0 ? noObjects : objects.map(({ object }) => object as unknown as T));

const noObjects: readonly never[] = [];
