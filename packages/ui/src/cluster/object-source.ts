/** Reads the objects of a resource page by page, reduced to what the page keeps of them. */

import type { KubeList, KubeObject, WatchEvent } from '@coxswain/apimachinery';
import type { ListOptions, ListWatch, ResourceClient, WatchOptions } from '@coxswain/client';

/** A page of this size is decoded in a few milliseconds, so that no frame is late. */
const pageSize = 500;

/** @param keep reduces an object to what is kept; called for every object that arrives */
export function objectSource<T extends KubeObject, K extends KubeObject>(
  resource: ResourceClient<T>,
  selection: Pick<ListOptions, 'labelSelector' | 'fieldSelector'>,
  keep: (object: T) => K,
): (onPage: (objects: readonly K[]) => void) => ListWatch<K> {
  return (onPage) => ({
    isRemote: true,
    async list({ signal }: ListOptions = {}): Promise<KubeList<K>> {
      const items: K[] = [];
      let metadata = {};
      for await (const page of resource.pages({
        ...selection,
        signal,
        limit: pageSize,
        whenExpired: 'fail',
      })) {
        const kept = page.items.map(keep);
        for (const item of kept) items.push(item);
        metadata = page.metadata;
        onPage(kept);
      }
      return { metadata, items };
    },
    async *watchBatches(options: WatchOptions = {}): AsyncGenerator<readonly WatchEvent<K>[]> {
      for await (const batch of resource.watchBatches({ ...options, ...selection }))
        yield batch.map(({ type, object }) => ({ type, object: keep(object) }));
    },
  });
}

/** Removes the managed fields, which no page shows and which make up half of most objects. */
export function withoutManagedFields<T extends KubeObject>(object: T): T {
  if (object.metadata.managedFields === undefined) return object;
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}
