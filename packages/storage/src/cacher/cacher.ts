import { systemClock, type Clock } from '@coxswain/apimachinery';
import {
  StorageError,
  closedError,
  canReportProgress,
  isLocal,
  prefixRange,
  type Change,
  type Entry,
  type EventBatch,
  type KeyRange,
  type LocalStorage,
  type Revision,
  type Storage,
  type UpdateOptions,
} from '../storage.ts';
import { Audience } from './audience.ts';
import type { CacheEvent } from './cache-event.ts';
import { CachedObject } from './cached-object.ts';
import { listState, type CacheList, type CacheListOptions, type Freshness } from './cache-list.ts';
import { CachePosition } from './cache-position.ts';
import { CacheState } from './cache-state.ts';
import { followLocal, followRemote, type Feed } from './feed.ts';
import { openWatch, type CacheWatchOptions } from './open-watch.ts';
import type { ObjectCodec } from './object-codec.ts';
import { DerivedFormCache, derivedFormBounds, type DerivedFormBounds } from './derived-form-cache.ts';
import { listStored, storedChanges } from './stored-reads.ts';
import type { Watcher } from './watcher.ts';

export type { CacheList, CacheListOptions, Freshness, Match } from './cache-list.ts';
export type { CacheWatchOptions } from './open-watch.ts';

export interface CacherOptions<T> {
  readonly storage: Storage;
  /** The directory of the resource, with its slash: `/registry/pods/`. */
  readonly prefix: string;
  readonly codec: ObjectCodec<T>;
  readonly clock?: Clock;
  readonly bounds?: DerivedFormBounds;
  /** Watches begin no earlier than the past of a store in this process goes, though the cache may know more. */
  readonly readsPastFromStore?: boolean;
}

/**
 * The one read path: all objects of one resource in memory, with their bytes as clients get them.
 *
 * Reads of a store in this process are synchronous: the cache is then never behind it. `T` is the decoded
 * object, which only selectors, tables and writers ask for.
 */
export class Cacher<T> {
  readonly #storage: Storage;
  readonly #local: LocalStorage | undefined;
  /** Knows what the store has forgotten. */
  readonly #past: Pick<LocalStorage, 'compactedRevision'> | undefined;
  readonly #range: KeyRange;
  readonly #prefix: string;
  readonly #clock: Clock;
  readonly #derivedForms: DerivedFormCache<T>;
  readonly readsPastFromStore: boolean;
  readonly #audience: Audience<T>;
  readonly #position: CachePosition;
  /** What was cached when a snapshot was taken, for as long as somebody has the snapshot. */
  #kept: WeakMap<object, CacheState<T>['tree']> | undefined;
  #feed: Feed | undefined;
  #state: CacheState<T> | undefined;
  #loaded = Promise.withResolvers<void>();
  #closed = false;
  #eventsReceived = 0;

  constructor(options: CacherOptions<T>) {
    this.readsPastFromStore = options.readsPastFromStore ?? false;
    this.#storage = options.storage;
    this.#local = isLocal(options.storage) ? options.storage : undefined;
    this.#past = this.#local ?? (canReportProgress(options.storage) ? options.storage : undefined);
    this.#prefix = options.prefix;
    this.#range = prefixRange(options.prefix);
    this.#clock = options.clock ?? systemClock;
    this.#derivedForms = new DerivedFormCache(options.codec, options.bounds ?? derivedFormBounds);
    this.#audience = new Audience(options.prefix, this.#clock, () =>
      this.#state === undefined ? undefined : this.revision,
    );
    this.#position = new CachePosition(this.#storage, this.#range, this.#clock);
    this.#loaded.promise.catch(() => undefined);
  }

  /** Begins to follow the store, if it doesn't yet, and resolves when the cache is filled. Every read does it. */
  async ready(): Promise<void> {
    if (this.#closed) throw closedError();
    this.#feed ??= this.#follow();
    await this.#loaded.promise;
  }

  /** Events that the store has sent so far; for metrics. */
  get eventsReceived(): number {
    return this.#eventsReceived;
  }

  /** Whether reads answer without waiting for the first fill. */
  get isReady(): boolean {
    return this.#state !== undefined;
  }

  /** Whether a list would be empty, when that can be told without waiting. */
  get isEmpty(): boolean {
    return this.#local !== undefined && this.#state?.tree.size === 0;
  }

  /** Everything up to here is in the cache. */
  get revision(): Revision {
    return this.#position.revision;
  }

  /** As `notOlderThan`: what this server has written is seen, and nothing is asked that others may have written. */
  get writtenRevision(): Revision {
    return this.#position.written;
  }

  /** @throws StorageError 'future-revision' when `notOlderThan` doesn't come within 3 s, 'closed' */
  get(
    key: string,
    notOlderThan?: Freshness,
  ): CachedObject<T> | undefined | Promise<CachedObject<T> | undefined> {
    if (this.#state !== undefined && this.#position.isFresh(notOlderThan)) return this.#state.tree.get(key);
    return this.#getLater(key, notOlderThan);
  }

  /**
   * As a list of one: the object, and the revision that it is read at.
   * @throws StorageError as {@link get}
   */
  async listOne(
    key: string,
    notOlderThan?: Freshness,
  ): Promise<{ readonly object: CachedObject<T> | undefined; readonly revision: Revision }> {
    const read = (state: CacheState<T>) => ({ object: state.tree.get(key), revision: this.revision });
    if (this.#state !== undefined && this.#position.isFresh(notOlderThan)) return read(this.#state);
    if (notOlderThan === undefined && (await this.#position.mustAskStore())) {
      const { entries, revision } = await this.#storage.list({ start: key, end: `${key}\0` });
      return { object: entries[0] && this.#known(entries[0]), revision };
    }
    return this.#withState(notOlderThan, read);
  }

  /**
   * The object as it was at `revision`.
   * @throws StorageError 'compacted', 'future-revision', 'closed'
   */
  async getAt(key: string, revision: Revision): Promise<CachedObject<T> | undefined> {
    await this.#becomeFresh(revision);
    const tree = this.#state?.treeAt(revision);
    if (tree !== undefined && revision >= (this.#past?.compactedRevision ?? 0)) return tree.get(key);
    const entry = await this.#storage.get(key, { revision });
    return entry && this.#known(entry);
  }

  /**
   * Objects ascending by key, all from one revision. Nothing is decoded unless `match` asks for it.
   * @throws StorageError 'compacted' (the revision asked for is gone), 'future-revision', 'closed'
   */
  list(options: CacheListOptions<T> = {}): CacheList<T> | Promise<CacheList<T>> {
    const fresh = options.revision ?? options.notOlderThan;
    if (this.#state === undefined || !this.#position.isFresh(fresh)) return this.#listLater(options, fresh);
    return this.#listNow(this.#state, options);
  }

  /**
   * @throws StorageError 'compacted' (`since` is older than what is known), 'future-revision', 'closed'
   */
  async watch(options: CacheWatchOptions<T> = {}): Promise<Watcher<T>> {
    const narrowing = options.field ?? options.label;
    if (options.initialEvents !== undefined && narrowing !== undefined) {
      await this.#withState('any', (state) => state.prepareIndex(narrowing));
    }
    return this.#withState(options.since ?? options.notOlderThan, (state) => {
      const missed = options.since === undefined ? [] : this.#eventsSince(state, options.since);
      return openWatch(this.#audience, options, {
        state,
        missed,
        prefix: this.#prefix,
        newest: () => this.revision,
        clock: this.#clock,
      });
    });
  }

  /**
   * Writes through to the store, see `Storage.update`. `change` gets the object that the cache has, where it
   * is still the newest, so that nothing is decoded again.
   */
  async update(
    key: string,
    change: (current: CachedObject<T> | undefined) => Change | Promise<Change>,
    options?: UpdateOptions,
  ): Promise<CachedObject<T> | undefined> {
    const state = this.#state;
    const cached = state?.tree.get(key);
    const expectsNone = state !== undefined || options?.expectsNone === true;
    const written = await this.#storage.update(key, (current) => change(current && this.#known(current)), {
      ...options,
      ...(cached ? { expected: cached.entry } : { expectsNone }),
    });
    if (written === undefined) return undefined;
    this.#position.noteWritten(written.modRevision);
    const { toldOf, toldCount } = this.#audience;
    if (toldOf === written.modRevision) options?.observer?.note?.({ dispatchedTo: toldCount });
    return this.#known(written);
  }

  /** How many objects there are. */
  get size(): number {
    return this.#state?.tree.size ?? 0;
  }

  close(): void {
    this.#closed = true;
    this.#feed?.stop();
    this.#audience.close();
    this.#lose('closed');
  }

  #follow(): Feed {
    const target = {
      onList: (entries: readonly Entry[], revision: Revision) => this.#fill(entries, revision),
      onEvents: (batch: EventBatch) => this.#take(batch),
      onGap: (reason: 'gap' | 'reset' | 'closed') => this.#lose(reason),
      onSnapshot: (snapshot: object) => this.#keep(snapshot),
      onReset: (snapshot: object, revision: Revision) => this.#takeUp(snapshot, revision),
      onDelay: (failure: unknown) => this.#refuseWaiting(failure),
      onFailure: (failure: unknown) => {
        this.#feed = undefined;
        this.#refuseWaiting(failure);
      },
    };
    return this.#local === undefined
      ? followRemote(this.#storage, this.#range, target, this.#clock)
      : followLocal(this.#local, this.#range, target);
  }

  #fill(entries: readonly Entry[], revision: Revision): void {
    this.#state = new CacheState(revision, this.#derivedForms, this.#clock);
    this.#state.load(entries);
    this.#loaded.resolve();
    this.#position.startAt(revision);
  }

  #keep(snapshot: object): void {
    if (this.#state !== undefined) (this.#kept ??= new WeakMap()).set(snapshot, this.#state.tree.clone());
  }

  /** Nothing is read or decoded again: the state of the snapshot is the state as it is now. */
  #takeUp(snapshot: object, revision: Revision): boolean {
    const kept = this.#kept?.get(snapshot);
    if (kept === undefined) return false;
    this.#audience.tellReset(this.#state!.goTo(kept.clone(), revision), revision);
    return true;
  }

  /** Whoever waits for the first fill is told why it does not come; whoever comes later waits anew. */
  #refuseWaiting(failure: unknown): void {
    this.#loaded.reject(failure);
    this.#loaded = Promise.withResolvers();
    this.#loaded.promise.catch(() => undefined);
  }

  #take({ events, revision }: EventBatch): void {
    const state = this.#state!;
    this.#eventsReceived += events.length;
    for (const event of events) this.#audience.tell(state.apply(event));
    this.#position.advanceTo(revision);
  }

  #lose(reason: 'gap' | 'reset' | 'closed'): void {
    // Whoever waits for the first fill goes on waiting through a gap.
    if (reason !== 'closed' && this.#state !== undefined) this.#loaded = Promise.withResolvers();
    if (reason === 'closed') {
      this.#closed = true;
      this.#loaded.reject(closedError());
    }
    this.#loaded.promise.catch(() => undefined);
    this.#state = undefined;
    this.#derivedForms.keepOnly(() => false);
    this.#audience.endAll(reason);
  }

  /** @throws StorageError 'future-revision' when the revision doesn't come in time */
  async #becomeFresh(notOlderThan: Freshness): Promise<void> {
    await this.ready();
    if ((await this.#position.reach(notOlderThan)) === 'restored') await this.#startOver();
  }

  /** A store that was put back to an earlier state has another past than what is known here. */
  async #startOver(): Promise<void> {
    // Of many who notice, the first does it.
    if (this.#state !== undefined) {
      this.#feed?.stop();
      this.#lose('gap');
      this.#feed = this.#follow();
    }
    await this.ready();
  }

  async #getLater(key: string, notOlderThan: Freshness): Promise<CachedObject<T> | undefined> {
    if (notOlderThan === undefined && (await this.#position.mustAskStore())) {
      const entry = await this.#storage.get(key);
      return entry && this.#known(entry);
    }
    try {
      return await this.#withState(notOlderThan, (state) => state.tree.get(key));
    } catch (failure) {
      // One value that can't be decrypted keeps the cache empty; the others can be had all the same.
      if (!(failure instanceof StorageError) || failure.kind !== 'encryption') throw failure;
      const entry = await this.#storage.get(key);
      return entry && this.#known(entry);
    }
  }

  async #listLater(options: CacheListOptions<T>, fresh: Freshness): Promise<CacheList<T>> {
    if (fresh === undefined && (await this.#position.mustAskStore())) {
      // Who watches from the list's revision on must not find a cache that was filled later.
      await this.ready();
      return this.#listStored(options);
    }
    return this.#withState(fresh, (state) => this.#listNow(state, options));
  }

  /** `use` is called in the turn in which the state is fresh: what it reads is of one revision. */
  async #withState<R>(notOlderThan: Freshness, use: (state: CacheState<T>) => R | Promise<R>): Promise<R> {
    await this.#becomeFresh(notOlderThan);
    // Lost in the meantime: what is listed anew is newer still.
    while (this.#state === undefined) await this.ready();
    return use(this.#state);
  }

  #listNow(state: CacheState<T>, options: CacheListOptions<T>): CacheList<T> | Promise<CacheList<T>> {
    const revision = options.revision ?? this.revision;
    const compacted = this.#past?.compactedRevision ?? 0;
    // Pages end with the past of the store, whether the cache still has them or not. What is newest here may be
    // older than that past where little is kept and events come late.
    if (options.revision !== undefined && revision < compacted) throw compactedError(revision, compacted);
    const narrowing = options.field ?? options.label;
    const prepared = narrowing && state.prepareIndex(narrowing);
    if (prepared instanceof Promise) return prepared.then(() => this.list(options));
    return (
      listState(state, this.#prefix, options, revision, this.#clock) ?? this.#listStored(options, revision)
    );
  }

  /** What is newest, or a revision that the cache has no state of any more: the store may. */
  #listStored(options: CacheListOptions<T>, wanted?: Revision): Promise<CacheList<T>> {
    return listStored(this.#storage, this.#prefix, options, (entry) => this.#known(entry), wanted);
  }

  /** The cached object of an entry, so that its forms are shared; or a new one. */
  #known(entry: Entry): CachedObject<T> {
    const cached = this.#state?.tree.get(entry.key);
    return cached?.revision === entry.modRevision ? cached : new CachedObject(entry, this.#derivedForms);
  }

  #eventsSince(state: CacheState<T>, since: Revision): readonly CacheEvent<T>[] {
    const local = this.readsPastFromStore ? this.#local : undefined;
    const events = local === undefined ? state.ring.after(since) : undefined;
    if (events !== undefined) return events;
    if (this.#local === undefined) throw compactedError(since, state.ring.completeAfter);
    // What the ring has forgotten, or never seen since it is younger, a store in this process still knows.
    return storedChanges(this.#local, this.#range, since, this.#derivedForms);
  }
}

const compactedError = (revision: Revision, known: Revision): StorageError =>
  new StorageError('compacted', `revision ${revision} is no longer known`, { revision: known });
