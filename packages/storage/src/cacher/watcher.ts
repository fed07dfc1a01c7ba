import type { Clock } from '@coxswain/apimachinery';
import { isContended, nextSlice } from '@coxswain/apimachinery/slices.ts';
import { StorageError, type Revision } from '../storage.ts';
import type { CacheEvent } from './cache-event.ts';
import type { CachedObject } from './cached-object.ts';
import { ObjectEvent, type WatchEvent } from './watch-event.ts';

/** The number of initial events per batch: a slice of deferrable work. */
const initialEventsPerBatch = 32;
/** The same while several users are served. */
const contendedEventsPerBatch = 4;
/** The same in bytes of the examined objects, which have to be decoded. */
const initialBytesPerBatch = 32 * 1024;

/**
 * 'slow': did not keep up; 'gap': the cache lost its history and listed again; after both the client may watch again.
 * 'reset': the store went back to a snapshot; the client must list again.
 */
export type WatchEnd = 'stopped' | 'slow' | 'gap' | 'reset' | 'closed';

export interface WatcherOptions<T> {
  readonly match: ((object: CachedObject<T>) => boolean) | undefined;
  /** Only objects in it are visible. Undefined for a watch of one object. */
  readonly directory: string | undefined;
  readonly bookmarks: boolean;
  /** Only with `bookmarks`, which give the store's revision after a reset. */
  readonly followsResets: boolean;
  /** How far the cache is. */
  readonly newest: () => Revision;
  /** The maximum number of waiting events. One more ends the watch. */
  readonly waitingMax: number;
  /** The initial state, whose matches are delivered as ADDED before everything else. */
  readonly initial: readonly CachedObject<T>[];
  /** Everything up to this revision is in `initial`, or known to the reader. */
  readonly revision: Revision;
  /** Whether a bookmark marks the end of the initial events. */
  readonly markInitialEnd: boolean;
  readonly clock: Clock;
  /** The user to charge for the initial objects. */
  readonly owner: string;
}

/**
 * One watch. Events are pushed in as they happen; the reader takes all that became ready since its last turn at once.
 */
export class Watcher<T> {
  readonly match: ((object: CachedObject<T>) => boolean) | undefined;
  readonly wantsBookmarks: boolean;
  readonly followsResets: boolean;
  readonly #directory: string | undefined;
  readonly #waitingMax: number;
  readonly #onStop: () => void;
  readonly #newest: () => Revision;
  readonly #clock: Clock;
  readonly #owner: string;
  #initial: readonly CachedObject<T>[];
  #initialNext = 0;
  #waiting: WatchEvent<T>[] = [];
  /** Where the watch began. */
  readonly #began: Revision;
  #revision: Revision;
  #end: WatchEnd | undefined;
  /** Resolves the reader's pending call. */
  #reader: ((ready: readonly WatchEvent<T>[] | undefined) => void) | undefined;

  constructor(options: WatcherOptions<T>, onStop: () => void) {
    this.match = options.match;
    this.wantsBookmarks = options.bookmarks;
    this.followsResets = options.bookmarks && options.followsResets;
    this.#directory = options.directory;
    this.#waitingMax = options.waitingMax;
    this.#initial = options.initial;
    this.#began = this.#revision = options.revision;
    this.#onStop = onStop;
    this.#newest = options.newest;
    this.#clock = options.clock;
    this.#owner = options.owner;
    if (options.markInitialEnd) {
      this.#waiting.push({ type: 'BOOKMARK', revision: options.revision, initialEventsEnd: true });
    }
  }

  /** The reason that the watch ended; undefined while it runs. */
  get ended(): WatchEnd | undefined {
    return this.#end;
  }

  /**
   * Returns the events that are ready, each once; may be empty, also when none of the examined initial objects matched.
   */
  take(): readonly WatchEvent<T>[] {
    if (this.#initial.length > 0) {
      const events = this.#takeInitial();
      if (events.length > 0 || this.#initial.length > 0) return events;
    }
    const ready = this.#waiting;
    this.#waiting = [];
    return ready;
  }

  /** Resolves with the ready events as soon as there are some; with undefined when the watch has ended. */
  next(): Promise<readonly WatchEvent<T>[] | undefined> {
    if (this.#initial.length > initialEventsPerBatch) {
      return nextSlice(this.#clock, this.#owner).then(() => this.#nextNow());
    }
    return this.#nextNow();
  }

  #nextNow(): Promise<readonly WatchEvent<T>[] | undefined> {
    const ready = this.#ready();
    if (ready !== 'nothing') return Promise.resolve(ready);
    // No examined object matched.
    if (this.#initial.length > 0) return this.next();
    return new Promise((resolve) => (this.#reader = resolve));
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<readonly WatchEvent<T>[], void, void> {
    for (let ready = await this.next(); ready !== undefined; ready = await this.next()) yield ready;
  }

  /** Called when the reader has finished. */
  stop(): void {
    this.end('stopped');
  }

  /**
   * Sends a bookmark: everything up to `revision` has been delivered. As upstream, it is repeated while nothing happens,
   * but not before anything has: so a client that hears nothing for minutes knows that its connection is dead.
   */
  bookmark(revision: Revision): void {
    if (revision < this.#revision || revision === this.#began || this.#end !== undefined) return;
    this.#revision = revision;
    this.#push({ type: 'BOOKMARK', revision, initialEventsEnd: false });
  }

  /** Sends a {@link bookmark} of the newest revision at once, if bookmarks were requested. */
  reportProgress(): void {
    if (!this.wantsBookmarks) return;
    this.bookmark(this.#newest());
    this.wake();
  }

  /** Adds the event if this watch sees it; returns true when the reader now has a reason to be woken. */
  offer(event: CacheEvent<T>): boolean {
    if (this.#end !== undefined) return false;
    if (this.#directory !== undefined && !event.key.startsWith(this.#directory)) return false;
    const seen = this.#seen(event);
    if (seen === undefined) return false;
    this.#revision = event.revision;
    return this.#push(seen);
  }

  /** If an unreadable object would have to be matched, the watch ends: a list then names the object. */
  #seen(event: CacheEvent<T>): WatchEvent<T> | undefined {
    try {
      return event.seenBy(this.match);
    } catch (failure) {
      if (!(failure instanceof StorageError)) throw failure;
      this.end('gap');
      return undefined;
    }
  }

  end(reason: WatchEnd): void {
    if (this.#end !== undefined) return;
    this.#end = reason;
    this.#onStop();
    if (reason === 'stopped') {
      this.#initial = [];
      this.#waiting = [];
    }
    this.wake();
  }

  wake(): void {
    const reader = this.#reader;
    if (reader === undefined) return;
    const ready = this.#ready();
    if (ready === 'nothing') return;
    this.#reader = undefined;
    reader(ready);
  }

  #ready(): readonly WatchEvent<T>[] | undefined | 'nothing' {
    if (this.#end === 'stopped') return undefined;
    const ready = this.take();
    if (ready.length > 0) return ready;
    return this.#end === undefined ? 'nothing' : undefined;
  }

  #push(event: WatchEvent<T>): boolean {
    if (this.#waiting.length >= this.#waitingMax) {
      this.end('slow');
      return false;
    }
    this.#waiting.push(event);
    return this.#waiting.length === 1;
  }

  #takeInitial(): readonly WatchEvent<T>[] {
    const events: WatchEvent<T>[] = [];
    const isShort = isContended(this.#clock, this.#clock.monotonic());
    const eventsMax = isShort ? contendedEventsPerBatch : initialEventsPerBatch;
    const until = Math.min(this.#initial.length, this.#initialNext + eventsMax);
    for (let bytes = 0; this.#initialNext < until && bytes < initialBytesPerBatch;) {
      const object = this.#initial[this.#initialNext++]!;
      bytes += object.bytesKept;
      if (this.match === undefined || this.match(object)) events.push(new ObjectEvent('ADDED', object));
    }
    if (this.#initialNext === this.#initial.length) this.#initial = [];
    return events;
  }
}
