import type { Entry, Event, Revision } from '../storage.ts';
import { CachedObject } from './cached-object.ts';
import type { DerivedFormCache } from './derived-form-cache.ts';
import { ObjectEvent } from './watch-event.ts';

interface ObjectChange<T> {
  readonly key: string;
  readonly revision: Revision;
  readonly after: CachedObject<T> | undefined;
  readonly before: CachedObject<T> | undefined;
  readonly deletedEntry: Entry | undefined;
}

/**
 * Makes a change from the store's event. @param before the cache's state; if absent, the event's own previous state is
 * used
 */
export function changeOf<T>(
  { type, entry, previous }: Event,
  before: CachedObject<T> | undefined,
  derivedForms: DerivedFormCache<T>,
): CacheEvent<T> {
  const change = {
    key: entry.key,
    revision: entry.modRevision,
    after: type === 'put' ? new CachedObject<T>(entry, derivedForms) : undefined,
    before: before ?? (previous && new CachedObject<T>(previous, derivedForms)),
    deletedEntry: type === 'delete' ? entry : undefined,
  };
  return new CacheEvent(change, derivedForms);
}

/** One change of one object, as the cache saw it. Shared by all watchers, together with all derived forms. */
export class CacheEvent<T> {
  readonly key: string;
  readonly revision: Revision;
  /** Absent for a deletion. */
  readonly after: CachedObject<T> | undefined;
  /** Absent for a creation. */
  readonly before: CachedObject<T> | undefined;
  /** For a deletion: the last state, with the revision of the deletion. */
  readonly #deletedEntry: Entry | undefined;
  readonly #derivedForms: DerivedFormCache<T>;
  #bytesKept: number | undefined;
  #added: ObjectEvent<T> | undefined;
  #modified: ObjectEvent<T> | undefined;
  #deleted: ObjectEvent<T> | undefined;

  constructor(change: ObjectChange<T>, derivedForms: DerivedFormCache<T>) {
    this.key = change.key;
    this.revision = change.revision;
    this.after = change.after;
    this.before = change.before;
    this.#deletedEntry = change.deletedEntry;
    this.#derivedForms = derivedForms;
  }

  get added(): ObjectEvent<T> {
    return (this.#added ??= new ObjectEvent('ADDED', this.after!));
  }

  get modified(): ObjectEvent<T> {
    return (this.#modified ??= new ObjectEvent('MODIFIED', this.after!));
  }

  /** For watchers that lose sight of the object, by its deletion or because it left their selection. */
  get deleted(): ObjectEvent<T> {
    return (this.#deleted ??= new ObjectEvent(
      'DELETED',
      new CachedObject(this.#lastEntry(), this.#derivedForms),
    ));
  }

  /**
   * The memory that only this event retains: the state that it replaced. Computed once, so that it can be subtracted
   * again.
   */
  get bytesKept(): number {
    return (this.#bytesKept ??= (this.before?.bytesKept ?? 0) + (this.#deletedEntry?.value.length ?? 0));
  }

  /** The change for a watcher that sees only matching objects. Undefined if it doesn't see the change. */
  seenBy(match: ((object: CachedObject<T>) => boolean) | undefined): ObjectEvent<T> | undefined {
    const { before, after } = this;
    const isIn = after !== undefined && (match === undefined || match(after));
    const wasIn = before !== undefined && (match === undefined || match(before));
    if (isIn) return wasIn ? this.modified : this.added;
    return wasIn ? this.deleted : undefined;
  }

  /** Not kept for puts: an object seldom leaves a selection, and its last state is `before`. */
  #lastEntry(): Entry {
    return this.#deletedEntry ?? { ...this.before!.entry, modRevision: this.revision };
  }
}
