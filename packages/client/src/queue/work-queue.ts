/**
 * A queue of keys to process (client-go's workqueue). A key is queued once, however often it is added. A key that is
 * added while it is being processed is queued again afterwards, and never processed concurrently.
 */

import { PendingCauses, type Cause, type Clock, type StepObserver, type Timer } from '@coxswain/apimachinery';
import { controllerRetry, type RetryLimiter } from './failure-back-off.ts';

/** Options of a work queue. */
export interface WorkQueueOptions {
  readonly clock: Clock;
  readonly retry?: RetryLimiter;
  readonly watcher?: QueueWatcher | undefined;
  /** Provides the reasons why keys are added. */
  readonly observer?: StepObserver | undefined;
}

/**
 * Observes what happens to keys, for metrics.
 * @example
 * const watcher: QueueWatcher = {
 *   added: (key) => console.log('added', key),
 *   begun: (key) => console.log('begun', key),
 *   done: (key) => console.log('done', key),
 *   retried: (key) => console.log('retried', key),
 * };
 * const queue = new WorkQueue({ clock, watcher });
 */
export interface QueueWatcher {
  /** The key is in the queue. */
  added(key: string): void;
  /** A worker has taken the key. */
  begun(key: string): void;
  /** The key has been processed. */
  done(key: string): void;
  /** The key failed and will be added again. */
  retried(key: string): void;
}

/**
 * Keys to be processed, each by one worker at a time (client-go's workqueue). {@link runWorkers} processes them.
 * @example
 * const queue = new WorkQueue({ clock });
 * queue.add('default/web');
 * queue.addAfter('default/web', 60_000);
 * const key = await queue.get(); // or queue.tryGet(), which does not wait
 * if (key !== undefined) {
 *   try {
 *     await reconcile(key);
 *     queue.forget(key);
 *   } catch {
 *     console.log(`failed ${queue.failures(key)} times, because of ${queue.causesOf(key).length} changes`);
 *     queue.addRateLimited(key);
 *   }
 *   queue.done(key);
 * }
 * await queue.idle();
 * queue.shutDown();
 */
export class WorkQueue {
  readonly #clock: Clock;
  readonly #retry: RetryLimiter;
  /** Keys to be processed, in order of arrival. Read from #head, and compacted now and then. */
  #ready: string[] = [];
  #head = 0;
  /** Keys that are in #ready, or will be queued again when done. */
  readonly #dirty = new Set<string>();
  readonly #processing = new Set<string>();
  readonly #delayed = new Map<string, { dueMs: number; timer: Timer }>();
  readonly #waiting: ((key: string | undefined) => void)[] = [];
  readonly #idle: (() => void)[] = [];
  readonly #watcher: QueueWatcher | undefined;
  readonly #causes: PendingCauses | undefined;
  readonly #begunFor = new Map<string, readonly Cause[]>();
  #closed = false;

  /** @param options the clock, and how failed keys are delayed */
  constructor({ clock, retry, watcher, observer }: WorkQueueOptions) {
    this.#watcher = watcher;
    this.#causes = observer && new PendingCauses(observer);
    this.#clock = clock;
    this.#retry = retry ?? controllerRetry(clock);
  }

  get length(): number {
    return this.#ready.length - this.#head;
  }

  /** The number of delayed keys. */
  get delayedCount(): number {
    return this.#delayed.size;
  }

  get processingCount(): number {
    return this.#processing.size;
  }

  /** Whether nothing is queued or being processed. There may be delayed keys. */
  get isIdle(): boolean {
    return this.length === 0 && this.#processing.size === 0;
  }

  /** Adds a key, unless it is already queued. If it is being processed, it is queued again afterwards. */
  add(key: string): void {
    this.#causes?.note(key);
    if (this.#closed || this.#dirty.has(key)) return;
    this.#dirty.add(key);
    if (!this.#processing.has(key)) this.#push(key);
  }

  /** Adds the key after a delay; if there are several, the earliest time counts. */
  addAfter(key: string, delayMs: number): void {
    if (this.#closed) return;
    if (delayMs <= 0) return this.add(key);
    const dueMs = this.#clock.monotonic() + delayMs;
    const known = this.#delayed.get(key);
    if (known !== undefined && known.dueMs <= dueMs) return;
    known?.timer.cancel();
    // A retry has the same causes as the first attempt.
    const causes = this.#begunFor.get(key);
    const timer = this.#clock.after(delayMs, () => {
      this.#delayed.delete(key);
      this.#causes?.note(key, causes);
      this.add(key);
    });
    this.#delayed.set(key, { dueMs, timer });
  }

  /** Adds a failed key after a delay that grows with each failure. */
  addRateLimited(key: string): void {
    this.#watcher?.retried(key);
    this.addAfter(key, this.#retry.delayMs(key));
  }

  /** Returns why the key being processed was added, as far as known. */
  causesOf(key: string): readonly Cause[] {
    return this.#begunFor.get(key) ?? [];
  }

  /** Resets the failure count of a key that succeeded. */
  forget(key: string): void {
    this.#retry.forget(key);
  }

  /** Returns the number of consecutive failures of the key. */
  failures(key: string): number {
    return this.#retry.failures(key);
  }

  /** Returns the next key, which must be completed with {@link done}; undefined if the queue is shut down and empty. */
  get(): Promise<string | undefined> {
    const key = this.tryGet();
    if (key !== undefined) return Promise.resolve(key);
    if (this.#closed) return Promise.resolve(undefined);
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Returns the next key, which must be completed with {@link done}; undefined if there is none at the moment. */
  tryGet(): string | undefined {
    if (this.length === 0) return undefined;
    const key = this.#ready[this.#head++]!;
    if (this.#head > compactAfter && this.#head * 2 > this.#ready.length) {
      this.#ready = this.#ready.slice(this.#head);
      this.#head = 0;
    }
    this.#processing.add(key);
    this.#dirty.delete(key);
    this.#watcher?.begun(key);
    if (this.#causes !== undefined) this.#begunFor.set(key, this.#causes.take(key));
    return key;
  }

  /** Completes a key, whether it succeeded or failed. */
  done(key: string): void {
    this.#watcher?.done(key);
    this.#processing.delete(key);
    this.#begunFor.delete(key);
    if (this.#dirty.has(key)) this.#push(key);
    else if (this.isIdle) for (const resolve of this.#idle.splice(0)) resolve();
  }

  /** Resolves when nothing is queued or being processed. */
  idle(): Promise<void> {
    return this.isIdle ? Promise.resolve() : new Promise((resolve) => this.#idle.push(resolve));
  }

  /** Shuts the queue down: no more keys are accepted, but queued ones are still returned. */
  shutDown(): void {
    if (this.#closed) return;
    this.#closed = true;
    for (const { timer } of this.#delayed.values()) timer.cancel();
    this.#delayed.clear();
    for (const resolve of this.#waiting.splice(0)) resolve(this.tryGet());
  }

  #push(key: string): void {
    this.#ready.push(key);
    this.#watcher?.added(key);
    const waiting = this.#waiting.shift();
    if (waiting !== undefined) waiting(this.tryGet());
  }
}

/** Keys that were returned stay in the array until there are this many. */
const compactAfter = 1024;
