import { prefixRange, type KeyRange, type Revision } from '../storage.ts';
import type { Tree } from '../tree/tree.ts';
import type { CachedObject } from './cached-object.ts';
import type { CacheState } from './cache-state.ts';
import type { FieldScope, LabelScope, Narrowing } from './narrowing.ts';

/**
 * How new the answer must be. Nothing: as new as the store is now. `'any'`: whatever is there. A revision:
 * that one or a newer one.
 */
export type Freshness = Revision | 'any' | undefined;

export type Match<T> = (object: CachedObject<T>) => boolean;

export interface CacheListOptions<T> {
  /** A directory within the resource (`/registry/pods/default/`); the whole resource when absent. */
  readonly scope?: string;
  readonly match?: Match<T>;
  /** What `match` implies about a field: the list then goes through its index. */
  readonly field?: FieldScope;
  /** The same for a label. */
  readonly label?: LabelScope;
  readonly limit?: number;
  /** Only keys greater than this one: `next` of the page before. */
  readonly after?: string;
  /** Exactly this revision; the pages of a list name the revision of its first page. */
  readonly revision?: Revision;
  readonly notOlderThan?: Freshness;
}

export interface CacheList<T> {
  readonly objects: readonly CachedObject<T>[];
  readonly revision: Revision;
  /** Pass it as `after`, with `revision`, to go on; what is left may not match. Absent: no key is left. */
  readonly next?: string;
  /** Keys in the scope after this page, matching or not. */
  readonly remaining: number;
}

/** The list at `revision`, from what the cache holds; undefined when it has no state of that revision. */
export function listState<T>(
  state: CacheState<T>,
  prefix: string,
  options: CacheListOptions<T>,
  revision: Revision,
): CacheList<T> | undefined {
  const tree = state.treeAt(revision);
  if (tree === undefined) return undefined;
  const range = rangeOf(options.scope ?? prefix, options.after);
  const { match, limit, field, label } = options;
  const narrowing = field ?? label;
  const isIndexed = narrowing !== undefined && tree === state.tree;
  const objects = isIndexed
    ? listIndexed(state, range, match, narrowing).slice(0, limit)
    : listRange(tree, range, match, limit);
  if (limit === undefined || objects.length < limit) return { objects, revision, remaining: 0 };
  const next = objects.at(-1)!.key;
  const remaining = tree.count(`${next}\0`, range.end);
  if (remaining === 0) return { objects, revision, remaining };
  // An earlier state is pinned already: it is where this page came from.
  if (tree === state.tree) state.pin(revision);
  return { objects, revision, next, remaining };
}

/** The first `limit` objects of `range` that match. */
export function listRange<T>(
  tree: Tree<string, CachedObject<T>>,
  range: KeyRange,
  match: Match<T> | undefined,
  limit = Infinity,
): CachedObject<T>[] {
  const objects: CachedObject<T>[] = [];
  tree.scan(range.start, range.end, (object) => {
    if (match === undefined || match(object)) objects.push(object);
    return objects.length < limit;
  });
  return objects;
}

/** The same, by an index. */
export function listIndexed<T>(
  state: CacheState<T>,
  { start, end }: KeyRange,
  match: Match<T> | undefined,
  narrowing: Narrowing,
): CachedObject<T>[] {
  const candidates = state.index(narrowing).with(narrowing.value);
  return candidates.filter((object) => object.key >= start && object.key < end && (match?.(object) ?? true));
}

/** The keys of a directory that come after `after`. */
export function rangeOf(scope: string, after: string | undefined): KeyRange {
  const range = prefixRange(scope);
  return after === undefined || after < range.start ? range : { start: `${after}\0`, end: range.end };
}
