import type { CacheEvent } from './cache-event.ts';
import { readerOf, traitName, type Narrowing, type TraitReader } from './narrowing.ts';
import type { Watcher } from './watcher.ts';

/** The watchers that select by one field or label, by the selected value. */
interface TraitSeats<T> {
  readonly read: TraitReader;
  readonly byValue: Map<string, Set<Watcher<T>>>;
}

/**
 * Watchers by what they can see: a key, a directory (a namespace), the value of a field or label, or everything. Each
 * is stored once, at its narrowest condition, so that the cost of an event depends only on its readers.
 */
export class WatcherIndex<T> {
  readonly #prefix: string;
  readonly #all = new Set<Watcher<T>>();
  // Created on first use: most resources have none of these, and a test process has thousands of resources.
  /** By key, and by the key's directory. */
  #paths: Map<string, Set<Watcher<T>>> | undefined;
  #traits: Map<string, TraitSeats<T>> | undefined;
  readonly #bookmarked = new Set<Watcher<T>>();

  /** `prefix` is the directory of the whole resource. */
  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  /** Watchers that requested bookmarks. */
  get bookmarked(): ReadonlySet<Watcher<T>> {
    return this.#bookmarked;
  }

  /** Adds a watcher. Returns a function to remove it. */
  add(watcher: Watcher<T>, scope: string, narrowing: Narrowing | undefined): () => void {
    const leave = this.#seat(watcher, scope, narrowing);
    if (watcher.wantsBookmarks) this.#bookmarked.add(watcher);
    return () => {
      leave();
      this.#bookmarked.delete(watcher);
    };
  }

  /** Calls `offer` for each watcher that may see the event. */
  forEachReader(event: CacheEvent<T>, offer: (watcher: Watcher<T>) => void): void {
    for (const watcher of this.#all) offer(watcher);
    if (this.#paths !== undefined && this.#paths.size > 0) this.#forEachOnPath(this.#paths, event.key, offer);
    if (this.#traits === undefined) return;
    for (const { read, byValue } of this.#traits.values()) {
      const after = event.after && read(event.after);
      const before = event.before && read(event.before);
      if (after !== undefined) for (const watcher of byValue.get(after) ?? []) offer(watcher);
      if (before === undefined || before === after) continue;
      for (const watcher of byValue.get(before) ?? []) offer(watcher);
    }
  }

  all(): Watcher<T>[] {
    const traits = this.#traits === undefined ? [] : [...this.#traits.values()];
    const places = [
      ...(this.#paths === undefined ? [] : [this.#paths]),
      ...traits.map(({ byValue }) => byValue),
    ];
    return [
      ...this.#all,
      ...places.flatMap((place) => [...place.values()]).flatMap((watchers) => [...watchers]),
    ];
  }

  #seat(watcher: Watcher<T>, scope: string, narrowing: Narrowing | undefined): () => void {
    if (narrowing !== undefined && !isKey(scope)) return this.#seatByTrait(watcher, narrowing);
    if (scope !== this.#prefix) return seatIn((this.#paths ??= new Map()), scope, watcher);
    this.#all.add(watcher);
    return () => void this.#all.delete(watcher);
  }

  #seatByTrait(watcher: Watcher<T>, narrowing: Narrowing): () => void {
    const name = traitName(narrowing);
    const traits = (this.#traits ??= new Map<string, TraitSeats<T>>());
    const seats = traits.get(name) ?? { read: readerOf(narrowing), byValue: new Map() };
    traits.set(name, seats);
    const leave = seatIn(seats.byValue, narrowing.value, watcher);
    return () => {
      leave();
      if (seats.byValue.size === 0 && traits.get(name) === seats) traits.delete(name);
    };
  }

  #forEachOnPath(
    paths: ReadonlyMap<string, ReadonlySet<Watcher<T>>>,
    key: string,
    offer: (watcher: Watcher<T>) => void,
  ): void {
    for (const watcher of paths.get(key) ?? []) offer(watcher);
    for (let slash = key.indexOf('/', this.#prefix.length); slash >= 0; slash = key.indexOf('/', slash + 1)) {
      for (const watcher of paths.get(key.slice(0, slash + 1)) ?? []) offer(watcher);
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
