import type { Entry, Event, Revision } from '../storage.ts';
import { CachedObject } from './cached-object.ts';
import type { Shelf } from './shelf.ts';
import { ObjectEvent } from './watch-event.ts';

/** One change of one object, as the cache saw it. Shared by all watchers, and so is what they make of it. */
export class CacheEvent<T> {
  readonly key: string;
  readonly revision: Revision;
  /** Absent for a deletion. */
  readonly after: CachedObject<T> | undefined;
  /** Absent for a creation. */
  readonly before: CachedObject<T> | undefined;
  /** The last state, with the revision of this change; an entry until somebody needs the object. */
  readonly #last: Entry | undefined;
  readonly #shelf: Shelf<T>;
  #added: ObjectEvent<T> | undefined;
  #modified: ObjectEvent<T> | undefined;
  #deleted: ObjectEvent<T> | undefined;

  constructor(event: Event, before: CachedObject<T> | undefined, shelf: Shelf<T>) {
    const { type, entry, previous } = event;
    this.key = entry.key;
    this.revision = entry.modRevision;
    this.#shelf = shelf;
    this.after = type === 'put' ? new CachedObject(entry, shelf) : undefined;
    this.before = before ?? (previous && new CachedObject(previous, shelf));
    this.#last = type === 'put' ? previous && { ...previous, modRevision: entry.modRevision } : entry;
  }

  get added(): ObjectEvent<T> {
    return (this.#added ??= new ObjectEvent('ADDED', this.after!));
  }

  get modified(): ObjectEvent<T> {
    return (this.#modified ??= new ObjectEvent('MODIFIED', this.after!));
  }

  /** For those who lose sight of the object, by deletion or because it left their selection. */
  get deleted(): ObjectEvent<T> {
    return (this.#deleted ??= new ObjectEvent('DELETED', new CachedObject(this.#last!, this.#shelf)));
  }

  /** How a watcher sees the change that sees only what matches. Undefined: not at all. */
  seenBy(match: ((object: CachedObject<T>) => boolean) | undefined): ObjectEvent<T> | undefined {
    const { before, after } = this;
    const isIn = after !== undefined && (match === undefined || match(after));
    const wasIn = before !== undefined && (match === undefined || match(before));
    if (isIn) return wasIn ? this.modified : this.added;
    return wasIn ? this.deleted : undefined;
  }
}
