/** Objects of a resource as they are read: page by page, and reduced to what the page keeps of them. */

import type { KubeList, KubeObject, WatchEvent } from '@coxswain/apimachinery';
import type { ListOptions, ListWatch, ResourceClient, WatchOptions } from '@coxswain/client';

/** Each is decoded in a few milliseconds, so that no frame is late. */
const pageSize = 500;

/** @param keep what is kept of an object; called for every object that comes */
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

/** Without what no page shows, and what makes up half of most objects. */
export function withoutManagedFields<T extends KubeObject>(object: T): T {
  if (object.metadata.managedFields === undefined) return object;
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}
