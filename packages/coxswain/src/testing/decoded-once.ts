import type { StoreRegistry } from '@coxswain/kube-apiserver/groups/store-registry.ts';
import type { ClusterSnapshot } from '../storage/cluster-storage.ts';

/**
 * Returns the snapshot of a cluster together with the objects that the cluster has decoded from it, so that clusters
 * that start from it share them. Otherwise each would decode and keep the same few hundred objects.
 */
export async function decodedOnce(
  snapshot: ClusterSnapshot,
  stores: StoreRegistry,
): Promise<ClusterSnapshot> {
  const objects = new Map<string, { readonly revision: number; readonly object: unknown }>();
  for (const { main } of stores.all()) {
    // What this cluster has not read, the next one won't read either.
    if (!main.cache.isReady) continue;
    const { objects: cached } = await main.cache.list();
    for (const { key, revision, object } of cached) objects.set(key, { revision, object });
  }
  const inMemory = snapshot.inMemory?.withDecoded(({ key, modRevision }) => {
    const known = objects.get(key);
    return known?.revision === modRevision ? known.object : undefined;
  });
  return inMemory === undefined ? snapshot : { ...snapshot, inMemory };
}
