/** A watch out of the cache, with the original's rules for where it begins. */
import { expired } from '@coxswain/apimachinery';
import type { KubeObject } from '@coxswain/apimachinery';
import type { Cacher } from '@coxswain/storage/cacher/cacher.ts';
import type { CacheWatchOptions } from '@coxswain/storage/cacher/cacher.ts';
import { StorageError } from '@coxswain/storage/storage.ts';
import type { ListOptions } from '../rest/options.ts';
import type { ServedWatch } from '../rest/served.ts';
import type { KeySpace } from './keys.ts';
import { interpretRead, revisionOfWatch } from './revisions.ts';
import { selectionOf } from './selection.ts';

export async function watchCached(
  cache: Cacher<KubeObject>,
  keys: KeySpace,
  namespace: string,
  options: ListOptions,
  indexed: readonly string[],
): Promise<ServedWatch> {
  const { scope, match, field } = selectionOf(keys, namespace, options, indexed);
  const wanted = revisionOfWatch(options.resourceVersion);
  try {
    return await cache.watch({
      scope,
      bookmarks: options.allowWatchBookmarks,
      ...(match && { match }),
      ...(field && { field }),
      ...beginning(options, wanted),
    });
  } catch (failure) {
    if (failure instanceof StorageError && failure.kind === 'compacted') {
      throw expired(`too old resource version: ${wanted} (${failure.revision ?? 0})`);
    }
    throw interpretRead(failure, wanted);
  }
}

/** With the state as it is, or after a version that the client knows. */
function beginning(options: ListOptions, wanted: number | undefined): CacheWatchOptions<KubeObject> {
  if (options.sendInitialEvents === true) {
    return {
      initialEvents: options.allowWatchBookmarks ? 'marked' : 'plain',
      ...(wanted === undefined ? undefined : { notOlderThan: wanted === 0 ? 'any' : wanted }),
    };
  }
  return wanted === undefined || wanted === 0 ? {} : { since: wanted };
}
