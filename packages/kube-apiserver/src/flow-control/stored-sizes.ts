/** The number and average size of a resource's objects, which determine the cost of a list. */
import type { Clock } from '@coxswain/apimachinery';
import type { StoredSizes } from '@coxswain/apiserver/flow-control/list-work.ts';
import type { GenericStore } from '@coxswain/apiserver/generic-store.ts';

/** Upstream's polling interval. */
const periodMs = 60_000;
/** The number of objects sampled for the average. */
const sampleSize = 32;
/** Lists of at most this many objects need one seat, whatever their size. */
const fewObjects = 1;

export type StoreOf = (group: string, resource: string) => GenericStore | undefined;

export function storedSizes(storeOf: StoreOf, clock: Clock): StoredSizes {
  const averages = new WeakMap<GenericStore, { readonly bytes: number; readonly untilMs: number }>();
  const averageOf = (store: GenericStore): number => {
    const known = averages.get(store);
    const nowMs = clock.monotonic();
    if (known !== undefined && nowMs < known.untilMs) return known.bytes;
    const bytes = sampledBytes(store);
    averages.set(store, { bytes, untilMs: nowMs + periodMs });
    return bytes;
  };
  return (group, resource) => {
    const store = storeOf(group, resource);
    const objects = store?.cache.size ?? 0;
    if (store === undefined || objects < fewObjects) return undefined;
    return { objects, bytesAverage: averageOf(store) };
  };
}

/** Returns 0 when it is not known immediately. */
function sampledBytes({ cache, storagePrefix }: GenericStore): number {
  // Only what the cache has, so that etcd is never asked.
  const listed = cache.list({ scope: `${storagePrefix}/`, limit: sampleSize, notOlderThan: 'any' });
  if (listed instanceof Promise) {
    listed.catch(() => undefined);
    return 0;
  }
  const bytes = listed.objects.reduce((sum, { bytesKept }) => sum + bytesKept, 0);
  return listed.objects.length === 0 ? 0 : Math.ceil(bytes / listed.objects.length);
}
