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

/** What the store told. @param before what the cache has; else what the event tells of it counts */
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

/** One change of one object, as the cache saw it. Shared by all watchers, and so is what they make of it. */
export class CacheEvent<T> {
  readonly key: string;
  readonly revision: Revision;
  /** Absent for a deletion. */
  readonly after: CachedObject<T> | undefined;
  /** Absent for a creation. */
  readonly before: CachedObject<T> | undefined;
  /** Of a deletion: the last state, with the revision of the deletion. */
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

  /** For those who lose sight of the object, by deletion or because it left their selection. */
  get deleted(): ObjectEvent<T> {
    return (this.#deleted ??= new ObjectEvent(
      'DELETED',
      new CachedObject(this.#lastEntry(), this.#derivedForms),
    ));
  }

  /**
   * What this event keeps in memory that nothing else does: the state that it replaced. As it was when first
   * asked, so that who adds it up can take it off again.
   */
  get bytesKept(): number {
    return (this.#bytesKept ??= (this.before?.bytesKept ?? 0) + (this.#deletedEntry?.value.length ?? 0));
  }

  /** How a watcher sees the change that sees only what matches. Undefined: not at all. */
  seenBy(match: ((object: CachedObject<T>) => boolean) | undefined): ObjectEvent<T> | undefined {
    const { before, after } = this;
    const isIn = after !== undefined && (match === undefined || match(after));
    const wasIn = before !== undefined && (match === undefined || match(before));
    if (isIn) return wasIn ? this.modified : this.added;
    return wasIn ? this.deleted : undefined;
  }

  /** Not kept for puts: seldom does an object leave a selection, and its last state is `before`. */
  #lastEntry(): Entry {
    return this.#deletedEntry ?? { ...this.before!.entry, modRevision: this.revision };
  }
}
