import type { Clock, StepObserver } from '@coxswain/apimachinery';
import { inSlices, nobody } from '@coxswain/apimachinery/slices.ts';
import { prefixRange, type KeyRange, type Revision } from '../storage.ts';
import type { Tree } from '../tree/tree.ts';
import type { CachedObject } from './cached-object.ts';
import type { CacheState } from './cache-state.ts';
import { matchOf, type FieldScope, type LabelScope, type Narrowing } from './narrowing.ts';

/**
 * How fresh the result must be. Undefined: as new as the store is now. `'any'`: whatever is cached. A revision: that
 * one or a newer one.
 */
export type Freshness = Revision | 'any' | undefined;

export type Match<T> = (object: CachedObject<T>) => boolean;

export interface CacheListOptions<T> {
  /** A directory within the resource (`/registry/pods/default/`); the whole resource if unset. */
  readonly scope?: string;
  readonly match?: Match<T>;
  /** A field value that `match` implies: the list then uses the field's index. */
  readonly field?: FieldScope;
  /** The same for a label. */
  readonly label?: LabelScope;
  readonly limit?: number;
  /** Only keys greater than this one: `next` of the previous page. */
  readonly after?: string;
  /** Exactly this revision; further pages of a list use the revision of the first. */
  readonly revision?: Revision;
  readonly notOlderThan?: Freshness;
  /** The user to charge if it takes long; if unset, all share one. */
  readonly owner?: string;
  readonly observer?: StepObserver | undefined;
}

export interface CacheList<T> {
  readonly objects: readonly CachedObject<T>[];
  readonly revision: Revision;
  /**
   * The `after` of the next page, together with `revision`; the rest may not contain matches. Absent when no key is
   * left.
   */
  readonly next?: string;
  /** The number of keys in the scope after this page, matching or not. */
  readonly remaining: number;
}

/**
 * The list at `revision` from the cache's state; undefined when that revision is not available. Among very many
 * objects, matches are searched in slices.
 */
export function listState<T>(
  state: CacheState<T>,
  prefix: string,
  options: CacheListOptions<T>,
  revision: Revision,
  clock: Clock,
): CacheList<T> | Promise<CacheList<T>> | undefined {
  const found = state.treeAt(revision);
  if (found === undefined) return undefined;
  const range = rangeOf(options.scope ?? prefix, options.after);
  const { limit } = options;
  const narrowing = options.field ?? options.label;
  const match = options.match ?? (narrowing && matchOf(narrowing));
  // A page that takes time shows the state in which it was begun.
  const tree = match !== undefined && limit !== undefined ? found.clone() : found;
  const changed = state.changedRevision;
  // An earlier state is already pinned, since this page comes from it.
  const pin = () => found === state.tree && state.pinned.pin(revision, tree, changed);
  const page = (objects: CachedObject<T>[]) => pageOf(tree, range, objects, revision, limit, pin);
  if (match === undefined) return page(listRange(tree, range, limit));
  const candidates =
    narrowing !== undefined && found === state.tree
      ? candidatesOf(state, range, narrowing)
      : listRange(tree, range);
  options.observer?.note?.({ candidates: candidates.length, of: tree.count(range.start, range.end) });
  const objects = matching(candidates, match, limit, clock, options.owner ?? nobody);
  return objects instanceof Promise ? objects.then(page) : page(objects);
}

function pageOf<T>(
  tree: Tree<string, CachedObject<T>>,
  range: KeyRange,
  objects: CachedObject<T>[],
  revision: Revision,
  limit: number | undefined,
  pin: () => unknown,
): CacheList<T> {
  if (limit === undefined || objects.length < limit) return { objects, revision, remaining: 0 };
  const next = objects.at(-1)!.key;
  const remaining = tree.count(`${next}\0`, range.end);
  if (remaining === 0) return { objects, revision, remaining };
  pin();
  return { objects, revision, next, remaining };
}

/** The first `limit` objects that match. */
function matching<T>(
  candidates: readonly CachedObject<T>[],
  match: Match<T>,
  limit = Infinity,
  clock: Clock,
  owner: string,
): CachedObject<T>[] | Promise<CachedObject<T>[]> {
  const objects: CachedObject<T>[] = [];
  let next = 0;
  const step = (): boolean => {
    const until = Math.min(candidates.length, next + objectsPerStep);
    while (next < until && objects.length < limit) {
      const object = candidates[next++]!;
      if (match(object)) objects.push(object);
    }
    return next === candidates.length || objects.length >= limit;
  };
  const done = inSlices(step, clock, owner);
  return done instanceof Promise ? done.then(() => objects) : objects;
}

/**
 * The number of objects between two checks of the clock: they take some milliseconds if all are large and not yet
 * decoded.
 */
const objectsPerStep = 4;

/** The first `limit` objects of `range`. */
export function listRange<T>(
  tree: Tree<string, CachedObject<T>>,
  range: KeyRange,
  limit = Infinity,
): CachedObject<T>[] {
  const objects: CachedObject<T>[] = [];
  tree.scan(range.start, range.end, (object) => objects.push(object) < limit);
  return objects;
}

/** A superset of the objects in `range` with the trait, from its index if they are few. */
export function candidatesOf<T>(
  state: CacheState<T>,
  range: KeyRange,
  narrowing: Narrowing,
): CachedObject<T>[] {
  const { start, end } = range;
  const index = state.index(narrowing);
  // Sorting many objects takes longer than scanning all.
  const isUsed = index !== undefined && index.count(narrowing.value) <= state.tree.size / partIndexed;
  if (!isUsed) return listRange(state.tree, range);
  return index.with(narrowing.value).filter(({ key }) => key >= start && key < end);
}

/** An index is used for up to this fraction of all objects. */
const partIndexed = 8;

/** The keys of a directory after `after`. */
export function rangeOf(scope: string, after: string | undefined): KeyRange {
  const range = prefixRange(scope);
  return after === undefined || after < range.start ? range : { start: `${after}\0`, end: range.end };
}
