import type { Revision } from '../storage.ts';
import type { Tree } from '../tree/tree.ts';
import { CacheEvent } from './cache-event.ts';
import type { CachedObject } from './cached-object.ts';
import type { DerivedFormCache } from './derived-form-cache.ts';

type State<T> = Tree<string, CachedObject<T>>;

/**
 * The changes that lead from one state to another, by key. Objects are as in the target state, with their own
 * revisions; deletions have `revision`. A recreated object is deleted first.
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
