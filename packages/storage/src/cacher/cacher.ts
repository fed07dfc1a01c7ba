import { detach } from '@coxswain/apimachinery/detach.ts';
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
import { CachedObject, type FormKeeper } from './cached-object.ts';
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
  /** The directory of the resource, including its slash: `/registry/pods/`. */
  readonly prefix: string;
  readonly codec: ObjectCodec<T>;
  readonly clock?: Clock;
  readonly bounds?: DerivedFormBounds;
  /** Whether watches start no earlier than the history of an in-process store, even if the cache knows more. */
  readonly readsPastFromStore?: boolean;
}

/**
 * The read path of one resource: all its objects in memory, with their bytes as clients get them.
 *
 * With an in-process store reads are synchronous, since the cache is never behind it. `T` is the decoded object, which
 * only selectors, tables and writers need.
 */
export class Cacher<T> {
  readonly #storage: Storage;
  readonly #local: LocalStorage | undefined;
  /** Knows the compacted revision. */
  readonly #past: Pick<LocalStorage, 'compactedRevision'> | undefined;
  readonly #range: KeyRange;
  readonly #prefix: string;
  readonly #clock: Clock;
  readonly #derivedForms: DerivedFormCache<T>;
  readonly readsPastFromStore: boolean;
  readonly #audience: Audience<T>;
  readonly #position: CachePosition;
  /** The cached states at the time of snapshots, for as long as the snapshots are referenced. */
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
    const position = new CachePosition(this.#storage, this.#range, this.#clock);
    this.#position = position;
    this.#audience = new Audience(
      options.prefix,
      this.#clock,
      () => (this.#state === undefined ? undefined : this.revision),
      () => detach(position.refresh(), () => undefined),
    );
    this.#loaded.promise.catch(() => undefined);
  }

  /** Starts following the store if necessary, and resolves when the cache is filled. Every read calls it. */
  async ready(): Promise<void> {
    if (this.#closed) throw closedError();
    this.#feed ??= this.#follow();
    await this.#loaded.promise;
  }

  /** The number of events received from the store; for metrics. */
  get eventsReceived(): number {
    return this.#eventsReceived;
  }

  /** Whether reads don't have to wait for the first fill. */
  get isReady(): boolean {
    return this.#state !== undefined;
  }

  /** Whether it is filled from this process, without a network. */
  get isLocal(): boolean {
    return this.#local !== undefined;
  }

  /** Whether a list would be empty, if that is known without waiting. */
  get isEmpty(): boolean {
    return this.#local !== undefined && this.#state?.tree.size === 0;
  }

  /** Everything up to this revision is in the cache. */
  get revision(): Revision {
    return this.#position.revision;
  }

  /** As `notOlderThan`: includes this server's own writes, without asking for others'. */
  get writtenRevision(): Revision {
    return this.#position.written;
  }

  /** @throws StorageError 'future-revision' when `notOlderThan` doesn't arrive within 3 s, 'closed' */
  get(
    key: string,
    notOlderThan?: Freshness,
  ): CachedObject<T> | undefined | Promise<CachedObject<T> | undefined> {
    if (this.#state !== undefined && this.#position.isFresh(notOlderThan)) return this.#state.tree.get(key);
    return this.#getLater(key, notOlderThan);
  }

  /** What the store has, which a cached object no longer has once it was served. */
  stored(key: string): Promise<Entry | undefined> {
    return this.#storage.get(key);
  }

  /**
   * A list of one: the object and the revision at which it was read.
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
   * The object at `revision`.
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
   * The objects in ascending order of keys, all from one revision. Decodes only if `match` needs it.
   * @throws StorageError 'compacted' (the requested revision is gone), 'future-revision', 'closed'
   */
  list(options: CacheListOptions<T> = {}): CacheList<T> | Promise<CacheList<T>> {
    const fresh = options.revision ?? options.notOlderThan;
    if (this.#state === undefined || !this.#position.isFresh(fresh)) return this.#listLater(options, fresh);
    return this.#listNow(this.#state, options);
  }

  /** @throws StorageError 'compacted' (`since` is older than the known history), 'future-revision', 'closed' */
  async watch(options: CacheWatchOptions<T> = {}): Promise<Watcher<T>> {
    const narrowing = options.field ?? options.label;
    if (options.initialEvents !== undefined && narrowing !== undefined) {
      await this.#withState('any', (state) => state.prepareIndex(narrowing));
    }
    return this.#withState(options.since ?? options.notOlderThan, (state) => {
      const missed = options.since === undefined ? [] : this.#eventsSince(state, options.since);
      options.observer?.note?.({ missedEvents: missed.length, newestRevision: this.revision });
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
   * Writes to the store, see `Storage.update`. `change` gets the cached object if it is still the newest, so that
   * nothing is decoded again.
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
    const { notifiedOf, notifiedCount } = this.#audience;
    if (notifiedOf === written.modRevision) options?.observer?.note?.({ dispatchedTo: notifiedCount });
    return this.#known(written);
  }

  /** The number of objects. */
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

  /** Nothing is read or decoded again: the state becomes that of the snapshot. */
  #takeUp(snapshot: object, revision: Revision): boolean {
    const kept = this.#kept?.get(snapshot);
    if (kept === undefined) return false;
    this.#audience.notifyReset(this.#state!.goTo(kept.clone(), revision), revision);
    return true;
  }

  /** Rejects those who wait for the first fill; later callers wait for the next attempt. */
  #refuseWaiting(failure: unknown): void {
    this.#loaded.reject(failure);
    this.#loaded = Promise.withResolvers();
    this.#loaded.promise.catch(() => undefined);
  }

  #take({ events, revision }: EventBatch): void {
    const state = this.#state!;
    this.#eventsReceived += events.length;
    for (const event of events) this.#audience.report(state.apply(event));
    this.#position.advanceTo(revision);
  }

  #lose(reason: 'gap' | 'reset' | 'closed'): void {
    // Those who wait for the first fill keep waiting through a gap.
    if (reason !== 'closed' && this.#state !== undefined) this.#loaded = Promise.withResolvers();
    if (reason === 'closed') {
      this.#closed = true;
      if (this.#state === undefined) this.#loaded.reject(closedError());
    }
    this.#loaded.promise.catch(() => undefined);
    this.#state = undefined;
    this.#derivedForms.keepOnly(() => false);
    this.#audience.endAll(reason);
  }

  /** @throws StorageError 'future-revision' when the revision doesn't arrive in time */
  async #becomeFresh(notOlderThan: Freshness): Promise<void> {
    await this.ready();
    if ((await this.#position.reach(notOlderThan)) === 'restored') await this.#startOver();
  }

  /** A store restored to an earlier state has a different history than the cached one. */
  async #startOver(): Promise<void> {
    // Of several callers that notice it, only the first acts.
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
      // One value that can't be decrypted keeps the cache empty, but the others can be read nevertheless.
      if (!(failure instanceof StorageError) || failure.kind !== 'encryption') throw failure;
      const entry = await this.#storage.get(key);
      return entry && this.#known(entry);
    }
  }

  async #listLater(options: CacheListOptions<T>, fresh: Freshness): Promise<CacheList<T>> {
    if (fresh === undefined && (await this.#position.mustAskStore())) {
      // A watch from the list's revision must not find a cache that was filled later.
      await this.ready();
      return this.#listStored(options);
    }
    return this.#withState(fresh, (state) => this.#listNow(state, options));
  }

  /** Calls `use` in the turn in which the state is fresh, so that everything it reads is of one revision. */
  async #withState<R>(notOlderThan: Freshness, use: (state: CacheState<T>) => R | Promise<R>): Promise<R> {
    await this.#becomeFresh(notOlderThan);
    // The state was lost in the meantime: a new list is newer still.
    while (this.#state === undefined) await this.ready();
    return use(this.#state);
  }

  #listNow(state: CacheState<T>, options: CacheListOptions<T>): CacheList<T> | Promise<CacheList<T>> {
    const revision = options.revision ?? this.revision;
    const compacted = this.#past?.compactedRevision ?? 0;
    // Paging is limited by the store's history, even if the cache has the state. With little history and delayed
    // events, the newest state here may be older than that limit.
    if (options.revision !== undefined && revision < compacted) throw compactedError(revision, compacted);
    const narrowing = options.field ?? options.label;
    const prepared = narrowing && state.prepareIndex(narrowing);
    if (prepared instanceof Promise) return prepared.then(() => this.list(options));
    return (
      listState(state, this.#prefix, options, revision, this.#clock) ?? this.#listStored(options, revision)
    );
  }

  /** Reads the newest revision, or one that the cache no longer has a state of, from the store. */
  #listStored(options: CacheListOptions<T>, wanted?: Revision): Promise<CacheList<T>> {
    const known = (entry: Entry) => this.#known(entry, this.#derivedForms);
    options.observer?.note?.({ readFrom: 'store' });
    return listStored(this.#storage, this.#prefix, options, known, wanted);
  }

  /** The cached object of an entry, so that its forms are shared, or a new one. */
  #known(entry: Entry, forms: FormKeeper<T> = this.#derivedForms.ofOthers): CachedObject<T> {
    const cached = this.#state?.tree.get(entry.key);
    return cached?.revision === entry.modRevision ? cached : new CachedObject(entry, forms);
  }

  #eventsSince(state: CacheState<T>, since: Revision): readonly CacheEvent<T>[] {
    const local = this.readsPastFromStore ? this.#local : undefined;
    const events = local === undefined ? state.ring.after(since) : undefined;
    if (events !== undefined) return events;
    if (this.#local === undefined) throw compactedError(since, state.ring.completeAfter);
    // An in-process store knows events that the ring has dropped or never had.
    return storedChanges(this.#local, this.#range, since, this.#derivedForms);
  }
}

const compactedError = (revision: Revision, known: Revision): StorageError =>
  new StorageError('compacted', `revision ${revision} is no longer known`, { revision: known });
