import type { Clock, Timer } from '@coxswain/apimachinery';
import type { Revision } from '../storage.ts';
import type { CacheEvent } from './cache-event.ts';
import type { Narrowing } from './narrowing.ts';
import { WakeupPacer } from './wakeup-pacer.ts';
import type { WatchEnd, Watcher } from './watcher.ts';
import { WatcherIndex } from './watcher-index.ts';

/** As upstream. */
const bookmarkEveryMs = 60_000;
/** How long before a bookmark a remote store is asked how far it is. */
const aheadMs = 1_000;

/** The watchers of one resource: which events each receives, when they are woken, and how far they are. */
export class Audience<T> {
  readonly #clock: Clock;
  readonly #newest: () => Revision | undefined;
  readonly #refresh: () => void;
  readonly #pace: WakeupPacer;
  readonly #watchers: WatcherIndex<T>;
  #toWake: Watcher<T>[] = [];
  #bookmarkTimer: Timer | undefined;
  /** The newest change, and the number of watchers that it concerned. */
  notifiedOf: Revision = 0;
  notifiedCount = 0;

  /**
   * @param newest how far the cache is; undefined while it has lost its history
   * @param refresh called before bookmarks: without events, the cache of a remote store does not know how far that is
   */
  constructor(prefix: string, clock: Clock, newest: () => Revision | undefined, refresh: () => void) {
    this.#clock = clock;
    this.#newest = newest;
    this.#refresh = refresh;
    this.#pace = new WakeupPacer(clock);
    this.#watchers = new WatcherIndex(prefix);
  }

  /** Adds a watcher. Returns a function to remove it. */
  seat(watcher: Watcher<T>, scope: string, narrowing: Narrowing | undefined): () => void {
    const leave = this.#watchers.add(watcher, scope, narrowing);
    if (watcher.wantsBookmarks) this.#scheduleBookmarks();
    return leave;
  }

  report(change: CacheEvent<T>): void {
    let reported = 0;
    this.#watchers.forEachReader(change, (watcher) => {
      if (!watcher.offer(change)) return;
      reported++;
      this.#wakeLater(watcher);
    });
    this.notifiedOf = change.revision;
    this.notifiedCount = reported;
  }

  /**
   * The store went back to a snapshot: watchers that can follow get the resulting changes, the others have to list
   * again.
   */
  notifyReset(changes: readonly CacheEvent<T>[], revision: Revision): void {
    for (const watcher of this.#watchers.all()) if (!watcher.followsResets) watcher.end('reset');
    for (const change of changes) this.report(change);
    for (const watcher of this.#watchers.bookmarked) {
      watcher.bookmark(revision);
      watcher.wake();
    }
  }

  endAll(reason: WatchEnd): void {
    for (const watcher of this.#watchers.all()) watcher.end(reason);
  }

  close(): void {
    this.#bookmarkTimer?.cancel();
  }

  #wakeLater(watcher: Watcher<T>): void {
    if (this.#toWake.length === 0) this.#pace.schedule(() => this.#wakeAll());
    this.#toWake.push(watcher);
  }

  #wakeAll(): number {
    const watchers = this.#toWake;
    this.#toWake = [];
    for (const watcher of watchers) watcher.wake();
    return watchers.length;
  }

  #scheduleBookmarks(): void {
    const refresh = () => {
      this.#refresh();
      this.#bookmarkTimer = this.#clock.after(aheadMs, () => this.#sendBookmarks(), { idle: true });
    };
    this.#bookmarkTimer ??= this.#clock.after(bookmarkEveryMs - aheadMs, refresh, { idle: true });
  }

  #sendBookmarks(): void {
    this.#bookmarkTimer = undefined;
    const revision = this.#newest();
    if (revision !== undefined)
      for (const watcher of this.#watchers.bookmarked) {
        watcher.bookmark(revision);
        this.#wakeLater(watcher);
      }
    if (this.#watchers.bookmarked.size > 0) this.#scheduleBookmarks();
  }
}
