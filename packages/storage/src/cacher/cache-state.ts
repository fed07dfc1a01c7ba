import type { Clock } from '@coxswain/apimachinery';
import { inSlices, nobody } from '@coxswain/apimachinery/slices.ts';
import type { Entry, Event, Revision } from '../storage.ts';
import { Tree } from '../tree/tree.ts';
import { changeOf, type CacheEvent } from './cache-event.ts';
import { CachedObject } from './cached-object.ts';
import { changesBetween } from './changes-between.ts';
import { EventRing } from './event-ring.ts';
import { readerOf, traitName, type Narrowing } from './narrowing.ts';
import { PinnedRoots } from './pinned-roots.ts';
import type { DerivedFormCache } from './derived-form-cache.ts';
import { TraitIndex } from './trait-index.ts';

/** For watches from the past; an in-process store knows older events as well. */
const ringBounds = { eventsMax: 16_384, bytesMax: 32 * 1024 * 1024 };
/** Clients may select by any label; the least recently used index is evicted. */
const indexesMax = 12;

/** The cached state of one resource: the newest objects, some earlier states, and the latest events. */
export class CacheState<T> {
  readonly pinned: PinnedRoots<T>;
  readonly #derivedForms: DerivedFormCache<T>;
  #tree = new Tree<string, CachedObject<T>>();
  #ring: EventRing<T>;
  #indexes: Map<string, TraitIndex<T>> | undefined;
  /** Indexes under construction, which are updated by every change. */
  readonly #building = new Map<string, { readonly index: TraitIndex<T>; readonly done: Promise<void> }>();
  readonly #clock: Clock;
  /** The revision of the newest event that changed something here. */
  #changedRevision: Revision;

  constructor(revision: Revision, derivedForms: DerivedFormCache<T>, clock: Clock) {
    this.#derivedForms = derivedForms;
    this.#clock = clock;
    this.pinned = new PinnedRoots(clock);
    this.#ring = new EventRing(revision, ringBounds);
    this.#changedRevision = revision;
  }

  get tree(): Tree<string, CachedObject<T>> {
    return this.#tree;
  }

  get ring(): EventRing<T> {
    return this.#ring;
  }

  get changedRevision(): Revision {
    return this.#changedRevision;
  }

  load(entries: readonly Entry[]): void {
    for (const entry of entries) this.#tree.set(entry.key, new CachedObject(entry, this.#derivedForms));
  }

  apply(event: Event): CacheEvent<T> {
    const { key, modRevision } = event.entry;
    const change = changeOf(event, this.#tree.get(key), this.#derivedForms);
    if (change.after !== undefined) this.#tree.set(key, change.after);
    else this.#tree.delete(key);
    this.#index(change.before, change.after);
    this.#ring.push(change);
    this.#changedRevision = modRevision;
    return change;
  }

  /**
   * Replaces the state by `tree`, without history. Cached forms of objects that both contain are kept.
   * @returns the resulting changes, by key
   */
  goTo(tree: Tree<string, CachedObject<T>>, revision: Revision): CacheEvent<T>[] {
    const changes = changesBetween(this.#tree, tree, revision, this.#derivedForms);
    for (const { before, after } of changes) this.#index(before, after);
    this.#tree = tree;
    this.#derivedForms.keepOnly((object) => tree.get(object.key) === object);
    this.#ring = new EventRing(revision, ringBounds);
    this.pinned.clear();
    this.#changedRevision = revision;
    return changes;
  }

  /**
   * Builds the index for a narrowing if there is none yet, which decodes every object once, in slices if there are
   * many.
   */
  prepareIndex(narrowing: Narrowing): void | Promise<void> {
    const name = traitName(narrowing);
    if (this.#indexes?.has(name) === true) return undefined;
    const begun = this.#building.get(name);
    if (begun !== undefined) return begun.done;
    const index = new TraitIndex<T>(readerOf(narrowing));
    const done = this.#filled(index);
    if (!(done instanceof Promise)) return this.#keep(name, index);
    const built = done.then(
      () => this.#keep(name, index),
      (failure: unknown) => {
        this.#building.delete(name);
        throw failure;
      },
    );
    this.#building.set(name, { index, done: built });
    return built;
  }

  /** The index for a narrowing; undefined if it was not prepared, or was evicted. */
  index(narrowing: Narrowing): TraitIndex<T> | undefined {
    const name = traitName(narrowing);
    const index = this.#indexes?.get(name);
    if (index !== undefined) this.#keep(name, index);
    return index;
  }

  /** The objects at `revision`; undefined when that is neither current nor pinned. */
  treeAt(revision: Revision): Tree<string, CachedObject<T>> | undefined {
    return revision >= this.#changedRevision ? this.#tree : this.pinned.get(revision);
  }

  #filled(index: TraitIndex<T>): void | Promise<void> {
    const objects: CachedObject<T>[] = [];
    this.#tree.scan('', lastKey, (object) => void objects.push(object));
    let next = 0;
    const step = (): boolean => {
      const object = objects[next++];
      // Changes since the start of the construction were indexed when they happened.
      if (object !== undefined && this.#tree.get(object.key) === object) index.replace(undefined, object);
      return next >= objects.length;
    };
    return inSlices(step, this.#clock, nobody);
  }

  #keep(name: string, index: TraitIndex<T>): void {
    this.#building.delete(name);
    const indexes = (this.#indexes ??= new Map<string, TraitIndex<T>>());
    indexes.delete(name);
    indexes.set(name, index);
    for (const [oldest] of indexes) {
      if (indexes.size <= indexesMax) break;
      indexes.delete(oldest);
    }
  }

  #index(before: CachedObject<T> | undefined, after: CachedObject<T> | undefined): void {
    for (const { index } of this.#building.values()) index.replace(before, after);
    if (this.#indexes === undefined) return;
    for (const index of this.#indexes.values()) index.replace(before, after);
  }
}

const lastKey = '\u{10ffff}';
