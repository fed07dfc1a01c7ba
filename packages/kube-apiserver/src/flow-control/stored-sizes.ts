/** How many objects a resource has, and how large they are: what a list of them may cost. */
import type { Clock } from '@coxswain/apimachinery';
import type { StoredSizes } from '@coxswain/apiserver/flow-control/list-work.ts';
import type { GenericStore } from '@coxswain/apiserver/generic-store.ts';

/** As often as the original asks its store. */
const periodMs = 60_000;
/** Objects that are looked at for an average. */
const sampleSize = 32;
/** Lists of fewer objects need one seat, however they are counted. */
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

/** 0 where it cannot be told at once. */
function sampledBytes({ cache, storagePrefix }: GenericStore): number {
  // Whatever the cache has: an etcd must not be asked for it.
  const listed = cache.list({ scope: `${storagePrefix}/`, limit: sampleSize, notOlderThan: 'any' });
  if (listed instanceof Promise) {
    listed.catch(() => undefined);
    return 0;
  }
  const bytes = listed.objects.reduce((sum, { bytesKept }) => sum + bytesKept, 0);
  return listed.objects.length === 0 ? 0 : Math.ceil(bytes / listed.objects.length);
}
