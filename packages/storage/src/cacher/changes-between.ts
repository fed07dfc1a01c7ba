import type { Revision } from '../storage.ts';
import type { Tree } from '../tree/tree.ts';
import { CacheEvent } from './cache-event.ts';
import type { CachedObject } from './cached-object.ts';
import type { DerivedFormCache } from './derived-form-cache.ts';

type State<T> = Tree<string, CachedObject<T>>;

/**
 * What one has to be told who knows one state and is to know another, by key. Objects come as they are in the
 * other state, with their own revision; deletions have `revision`. An object that was made anew is deleted first.
 */
export function changesBetween<T>(
  from: State<T>,
  to: State<T>,
  revision: Revision,
  derivedForms: DerivedFormCache<T>,
): CacheEvent<T>[] {
  const changes: CacheEvent<T>[] = [];
  const deletion = (key: string, before: CachedObject<T>) => {
    const deletedEntry = { ...before.entry, modRevision: revision };
    changes.push(new CacheEvent({ key, revision, before, after: undefined, deletedEntry }, derivedForms));
  };
  from.difference(to, (key, before, after) => {
    if (before?.revision === after?.revision) return;
    const isSame = before?.createRevision === after?.createRevision;
    if (before !== undefined && !isSame) deletion(key, before);
    if (after === undefined) return;
    const change = { key, revision: after.revision, before: isSame ? before : undefined, after };
    changes.push(new CacheEvent({ ...change, deletedEntry: undefined }, derivedForms));
  });
  return changes;
}
