/** Reads that a cache can't answer from its own state, from the store but in the cache's form. */
import type { Entry, KeyRange, LocalStorage, Revision, Storage } from '../storage.ts';
import { changeOf, type CacheEvent } from './cache-event.ts';
import { rangeOf, type CacheList, type CacheListOptions } from './cache-list.ts';
import type { CachedObject } from './cached-object.ts';
import type { DerivedFormCache } from './derived-form-cache.ts';

/** @param revision the newest if unset */
export async function listStored<T>(
  storage: Storage,
  prefix: string,
  options: CacheListOptions<T>,
  known: (entry: Entry) => CachedObject<T>,
  wanted?: Revision,
): Promise<CacheList<T>> {
  const { match, limit = Infinity } = options;
  const page = await storage.list(rangeOf(options.scope ?? prefix, options.after), {
    ...(wanted !== undefined && { revision: wanted }),
    ...(match === undefined && { limit: options.limit }),
  });
  const { revision } = page;
  const all = page.entries.map(known);
  const matching = match === undefined ? all : all.filter(match);
  const objects = matching.slice(0, limit);
  const next = objects.at(-1)?.key;
  const remaining = page.count - 1 - page.entries.findIndex(({ key }) => key === next);
  if (next === undefined || objects.length < limit || remaining === 0) {
    return { objects, revision, remaining: 0 };
  }
  return { objects, revision, next, remaining };
}

/** The changes since then, from the history of an in-process store. @throws StorageError 'compacted' */
export function storedChanges<T>(
  storage: LocalStorage,
  range: KeyRange,
  since: Revision,
  derivedForms: DerivedFormCache<T>,
): readonly CacheEvent<T>[] {
  const changes: CacheEvent<T>[] = [];
  let failure: Error | undefined;
  storage
    .subscribe(range, since, {
      onEvents: ({ events }) =>
        changes.push(...events.map((event) => changeOf(event, undefined, derivedForms))),
      onEnd: (reason) => (failure = reason),
    })
    .cancel();
  if (failure !== undefined) throw failure;
  return changes;
}
