import type { Clock } from '@coxswain/apimachinery';
import { isContended, nextSlice } from '@coxswain/apimachinery/slices.ts';
import { StorageError, type Revision } from '../storage.ts';
import type { CacheEvent } from './cache-event.ts';
import type { CachedObject } from './cached-object.ts';
import { ObjectEvent, type WatchEvent } from './watch-event.ts';

/** Initial events handed out at a time: a slice of work that can wait. */
const initialEventsPerBatch = 32;
/** The same while several are served. */
const contendedEventsPerBatch = 4;
/** The same, in bytes of the objects that are looked at, which have to be read. */
const initialBytesPerBatch = 32 * 1024;

/**
 * 'slow': did not keep up; 'gap': the cache lost the thread and listed anew; both are to watch again. 'reset':
 * the store went back to a snapshot; to be listed again.
 */
export type WatchEnd = 'stopped' | 'slow' | 'gap' | 'reset' | 'closed';

export interface WatcherOptions<T> {
  readonly match: ((object: CachedObject<T>) => boolean) | undefined;
  /** Nothing outside of it is seen. Undefined for a watch of one object. */
  readonly directory: string | undefined;
  readonly bookmarks: boolean;
  /** Only with `bookmarks`: they tell how far the store is after a reset. */
  readonly followsResets: boolean;
  /** How far the cache is. */
  readonly newest: () => Revision;
  /** Events waiting for the reader. One more, and the watch ends. */
  readonly waitingMax: number;
  /** State of which what matches is delivered as ADDED before everything else. */
  readonly initial: readonly CachedObject<T>[];
  /** Everything up to here is in `initial`, or known to the reader. */
  readonly revision: Revision;
  /** Whether a bookmark tells the end of the initial events. */
  readonly markInitialEnd: boolean;
  readonly clock: Clock;
  /** For whom the initial objects are looked at. */
  readonly owner: string;
}

/**
 * One watch. Events are pushed in as they happen; the reader takes, in one piece, all that became ready
 * since its last turn.
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
  #revision: Revision;
  #end: WatchEnd | undefined;
  /** Who waits for something to be ready. */
  #reader: ((ready: readonly WatchEvent<T>[] | undefined) => void) | undefined;

  constructor(options: WatcherOptions<T>, onStop: () => void) {
    this.match = options.match;
    this.wantsBookmarks = options.bookmarks;
    this.followsResets = options.bookmarks && options.followsResets;
    this.#directory = options.directory;
    this.#waitingMax = options.waitingMax;
    this.#initial = options.initial;
    this.#revision = options.revision;
    this.#onStop = onStop;
    this.#newest = options.newest;
    this.#clock = options.clock;
    this.#owner = options.owner;
    if (options.markInitialEnd) {
      this.#waiting.push({ type: 'BOOKMARK', revision: options.revision, initialEventsEnd: true });
    }
  }

  /** Why the watch ended; undefined while it runs. */
  get ended(): WatchEnd | undefined {
    return this.#end;
  }

  /** What is ready now, at most once; empty when nothing is, or nothing of the initial objects that were looked at. */
  take(): readonly WatchEvent<T>[] {
    if (this.#initial.length > 0) {
      const events = this.#takeInitial();
      if (events.length > 0 || this.#initial.length > 0) return events;
    }
    const ready = this.#waiting;
    this.#waiting = [];
    return ready;
  }

  /** Resolves with what is ready as soon as something is; with undefined when the watch is over. */
  next(): Promise<readonly WatchEvent<T>[] | undefined> {
    if (this.#initial.length > initialEventsPerBatch) {
      return nextSlice(this.#clock, this.#owner).then(() => this.#nextNow());
    }
    return this.#nextNow();
  }

  #nextNow(): Promise<readonly WatchEvent<T>[] | undefined> {
    const ready = this.#ready();
    if (ready !== 'nothing') return Promise.resolve(ready);
    // Of what was looked at, nothing matched.
    if (this.#initial.length > 0) return this.next();
    return new Promise((resolve) => (this.#reader = resolve));
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<readonly WatchEvent<T>[], void, void> {
    for (let ready = await this.next(); ready !== undefined; ready = await this.next()) yield ready;
  }

  /** The reader wants no more. */
  stop(): void {
    this.end('stopped');
  }

  /** Tells the reader how far it is: everything up to `revision` has been delivered. */
  bookmark(revision: Revision): void {
    if (revision <= this.#revision || this.#end !== undefined) return;
    this.#revision = revision;
    this.#push({ type: 'BOOKMARK', revision, initialEventsEnd: false });
  }

  /** {@link bookmark} of what is newest, at once, for a reader who asked for bookmarks. */
  tellProgress(): void {
    if (!this.wantsBookmarks) return;
    this.bookmark(this.#newest());
    this.wake();
  }

  /** Takes the event in if this watch sees it; true when the reader now has something to be woken for. */
  offer(event: CacheEvent<T>): boolean {
    if (this.#end !== undefined) return false;
    if (this.#directory !== undefined && !event.key.startsWith(this.#directory)) return false;
    const seen = this.#seen(event);
    if (seen === undefined) return false;
    this.#revision = event.revision;
    return this.#push(seen);
  }

  /** Where an object that cannot be read would have to be selected, the watch ends: a list then names it. */
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
