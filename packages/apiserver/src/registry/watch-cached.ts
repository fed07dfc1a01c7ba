/** A watch out of the cache, with the original's rules for where it begins. */
import { expired, type KubeObject, type StepObserver } from '@coxswain/apimachinery';
import type { Watcher } from '@coxswain/storage/cacher/watcher.ts';
import type { Cacher, CacheWatchOptions } from '@coxswain/storage/cacher/cacher.ts';
import { StorageError } from '@coxswain/storage/storage.ts';
import type { ListOptions } from '../rest/options.ts';
import type { ServedWatch } from '../rest/served.ts';
import type { KeySpace } from './keys.ts';
import { interpretRead, revisionOfWatch } from './revisions.ts';
import { selectionOf } from './selection.ts';

/** @param followsResets whether a client that requested bookmarks continues after a reset of the store */
export async function watchCached(
  cache: Cacher<KubeObject>,
  keys: KeySpace,
  namespace: string,
  options: ListOptions,
  indexed: readonly string[],
  followsResets: boolean,
  observer?: StepObserver,
): Promise<ServedWatch> {
  const { scope, match, field, label } = selectionOf(keys, namespace, options, indexed);
  const wanted = revisionOfWatch(options.resourceVersion);
  await cache.ready();
  // A watch from a future revision sends nothing until that revision is passed.
  const isAhead = wanted !== undefined && options.sendInitialEvents !== true && wanted > cache.revision;
  try {
    const watch = await cache.watch({
      scope,
      bookmarks: options.allowWatchBookmarks,
      followsResets: followsResets && !isAhead,
      observer,
      ...(options.owner !== undefined && { owner: options.owner }),
      ...(match && { match }),
      ...(field && { field }),
      ...(label && { label }),
      ...beginning(options, wanted, cache.revision),
    });
    return isAhead ? eventsAfter(watch, wanted) : watch;
  } catch (failure) {
    if (failure instanceof StorageError && failure.kind === 'compacted') {
      if (cache.readsPastFromStore) {
        throw expired('The resourceVersion for the provided watch is too old.');
      }
      throw expired(`too old resource version: ${wanted} (${failure.revision ?? 0})`);
    }
    throw interpretRead(failure, wanted);
  }
}

function eventsAfter(watch: Watcher<KubeObject>, revision: number): ServedWatch {
  return {
    get ended() {
      return watch.ended;
    },
    stop: () => watch.stop(),
    reportProgress: () => watch.reportProgress(),
    async next() {
      for (;;) {
        const events = await watch.next();
        const newer = events?.filter((event) => event.revision > revision);
        if (newer === undefined || newer.length > 0) return newer;
      }
    },
  };
}

/** Starts with the current state, or after a revision that the client knows. */
function beginning(
  options: ListOptions,
  wanted: number | undefined,
  newest: number,
): CacheWatchOptions<KubeObject> {
  if (options.sendInitialEvents === true) {
    return {
      initialEvents: options.allowWatchBookmarks && options.marksInitialEvents !== false ? 'marked' : 'plain',
      ...(wanted === undefined ? undefined : { notOlderThan: wanted === 0 ? 'any' : wanted }),
    };
  }
  return wanted === undefined || wanted === 0 ? {} : { since: Math.min(wanted, newest) };
}
