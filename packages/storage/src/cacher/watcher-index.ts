import type { CacheEvent } from './cache-event.ts';
import type { Watcher } from './watcher.ts';

/** The one field value that everything a watcher sees has. */
export interface FieldScope {
  readonly field: string;
  readonly value: string;
}

/**
 * Watchers by what they can see: a key, a directory of keys (a namespace), the value of a field, or all.
 * Each stands in one place, its narrowest, so that an event costs as much as it has readers.
 */
export class WatcherIndex<T> {
  readonly #prefix: string;
  readonly #all = new Set<Watcher<T>>();
  /** By key, and by directory of the key. */
  readonly #paths = new Map<string, Set<Watcher<T>>>();
  readonly #fields = new Map<string, Map<string, Set<Watcher<T>>>>();
  readonly #bookmarked = new Set<Watcher<T>>();

  /** `prefix` is the directory of the whole resource. */
  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  /** Watchers that want bookmarks. */
  get bookmarked(): ReadonlySet<Watcher<T>> {
    return this.#bookmarked;
  }

  /** Returns how to remove it again. */
  add(watcher: Watcher<T>, scope: string, field: FieldScope | undefined): () => void {
    const leave = this.#seat(watcher, scope, field);
    if (watcher.wantsBookmarks) this.#bookmarked.add(watcher);
    return () => {
      leave();
      this.#bookmarked.delete(watcher);
    };
  }

  /** Calls `offer` for each watcher that may see the event. */
  forEachReader(event: CacheEvent<T>, offer: (watcher: Watcher<T>) => void): void {
    for (const watcher of this.#all) offer(watcher);
    if (this.#paths.size > 0) this.#forEachOnPath(event.key, offer);
    for (const [field, byValue] of this.#fields) {
      if (byValue.size === 0) continue;
      const after = event.after?.fields[field] ?? '';
      const before = event.before?.fields[field] ?? '';
      for (const watcher of byValue.get(after) ?? []) offer(watcher);
      if (before !== after) for (const watcher of byValue.get(before) ?? []) offer(watcher);
    }
  }

  all(): Watcher<T>[] {
    const narrow = [
      ...this.#paths.values(),
      ...[...this.#fields.values()].flatMap((byValue) => [...byValue.values()]),
    ];
    return [...this.#all, ...narrow.flatMap((place) => [...place])];
  }

  #seat(watcher: Watcher<T>, scope: string, field: FieldScope | undefined): () => void {
    if (field !== undefined && !isKey(scope)) {
      const byValue = this.#fields.get(field.field) ?? new Map<string, Set<Watcher<T>>>();
      this.#fields.set(field.field, byValue);
      return seatIn(byValue, field.value, watcher);
    }
    if (scope !== this.#prefix) return seatIn(this.#paths, scope, watcher);
    this.#all.add(watcher);
    return () => void this.#all.delete(watcher);
  }

  #forEachOnPath(key: string, offer: (watcher: Watcher<T>) => void): void {
    for (const watcher of this.#paths.get(key) ?? []) offer(watcher);
    for (let slash = key.indexOf('/', this.#prefix.length); slash >= 0; slash = key.indexOf('/', slash + 1)) {
      for (const watcher of this.#paths.get(key.slice(0, slash + 1)) ?? []) offer(watcher);
    }
  }
}

function seatIn<W>(places: Map<string, Set<W>>, name: string, watcher: W): () => void {
  const place = places.get(name) ?? new Set();
  places.set(name, place.add(watcher));
  return () => {
    place.delete(watcher);
    if (place.size === 0 && places.get(name) === place) places.delete(name);
  };
}

const isKey = (scope: string): boolean => !scope.endsWith('/');
