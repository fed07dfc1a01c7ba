import type { Clock, StepObserver } from '@coxswain/apimachinery';
import { nobody } from '@coxswain/apimachinery/slices.ts';
import { prefixRange, type Revision } from '../storage.ts';
import type { Audience } from './audience.ts';
import type { CacheEvent } from './cache-event.ts';
import { candidatesOf, listRange, type Freshness, type Match } from './cache-list.ts';
import type { CacheState } from './cache-state.ts';
import type { CachedObject } from './cached-object.ts';
import { matchOf, type FieldScope, type LabelScope, type Narrowing } from './narrowing.ts';
import { Watcher } from './watcher.ts';

export interface CacheWatchOptions<T> {
  /** A directory within the resource, or one key; the whole resource if unset. */
  readonly scope?: string;
  /** Selects the visible objects: an object that ceases to match arrives as DELETED, one that begins to as ADDED. */
  readonly match?: Match<T>;
  /** A field value that `match` implies: events of objects with other values then cost nothing. */
  readonly field?: FieldScope;
  /** The same for a label. */
  readonly label?: LabelScope;
  /** Events after this revision; from now on if unset. */
  readonly since?: Revision;
  /**
   * Starts with the whole state as ADDED events; `since` must be absent. 'marked' sends a bookmark with
   * `initialEventsEnd` after it.
   */
  readonly initialEvents?: 'plain' | 'marked';
  /** With `initialEvents`, or without `since`: how fresh the initial state must be. */
  readonly notOlderThan?: Freshness;
  readonly bookmarks?: boolean;
  /**
   * With `bookmarks`: a reset to a snapshot is sent as changes and a bookmark, instead of ending the watch. Restored
   * objects have their former resourceVersions, though revisions continue to grow.
   */
  readonly followsResets?: boolean;
  /** The number of events that may wait for the reader before the watch ends as 'slow'. */
  readonly waitingMax?: number;
  /** The user to charge for the initial state; if unset, all share one. */
  readonly owner?: string;
  /** Is told where it begins. */
  readonly observer?: StepObserver | undefined;
}

const waitingEventsMax = 10_000;

/** The initial state of a watch, all from one turn. */
export interface WatchBeginning<T> {
  readonly state: CacheState<T>;
  /** What happened after `since`. */
  readonly missed: readonly CacheEvent<T>[];
  /** The directory of the whole resource. */
  readonly prefix: string;
  /** How far the cache is. */
  readonly newest: () => Revision;
  readonly clock: Clock;
}

/** Adds a watcher to the audience, with the events that it missed. */
export function openWatch<T>(
  audience: Audience<T>,
  options: CacheWatchOptions<T>,
  { state, missed, prefix, newest, clock }: WatchBeginning<T>,
): Watcher<T> {
  const scope = options.scope ?? prefix;
  const narrowing = options.field ?? options.label;
  let leave = (): void => undefined;
  const watcher = new Watcher<T>(
    {
      match: options.match ?? (narrowing && matchOf(narrowing)),
      directory: scope.endsWith('/') ? scope : undefined,
      bookmarks: options.bookmarks ?? false,
      followsResets: options.followsResets ?? false,
      newest,
      waitingMax: Math.max(options.waitingMax ?? waitingEventsMax, missed.length),
      initial: options.initialEvents === undefined ? [] : initialObjects(state, scope, narrowing),
      revision: options.since ?? newest(),
      markInitialEnd: options.initialEvents === 'marked',
      clock,
      owner: options.owner ?? nobody,
    },
    () => leave(),
  );
  for (const event of missed) if (isWithin(event.key, scope)) watcher.offer(event);
  leave = audience.seat(watcher, scope, narrowing);
  return watcher;
}

/** The objects among which the watch finds its initial events. */
function initialObjects<T>(
  state: CacheState<T>,
  scope: string,
  narrowing: Narrowing | undefined,
): readonly CachedObject<T>[] {
  if (!scope.endsWith('/')) {
    const object = state.tree.get(scope);
    return object === undefined ? [] : [object];
  }
  const range = prefixRange(scope);
  return narrowing === undefined ? listRange(state.tree, range) : candidatesOf(state, range, narrowing);
}

const isWithin = (key: string, scope: string): boolean =>
  scope.endsWith('/') ? key.startsWith(scope) : key === scope;
