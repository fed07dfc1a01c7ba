/** Keeps a resource in memory and notifies handlers of changes. */

import {
  becauseOf,
  isStatusError,
  systemClock,
  systemRandom,
  type Cause,
  type Clock,
  type KubeObject,
  type Random,
  type StepObserver,
  type Timer,
  type WatchEvent,
} from '@coxswain/apimachinery';
import { relayed } from '@coxswain/apimachinery/relayed-signal.ts';
import type { ResourceClient } from '../resource/resource-client.ts';
import { ObjectInterner } from './object-interner.ts';
import { objectKey } from './object-key.ts';
import { reflect } from './reflector.ts';
import { StalenessWatchdog } from './staleness-watchdog.ts';
import { Store, type IndexFunction, type Indexers, type Lister } from './store.ts';

/**
 * Called sequentially, in the order of events. Handlers must be fast; usually they add a key to a queue.
 * @example
 * const handler: EventHandler<KubeObject> = {
 *   added: (object, initial) => console.log('added', objectKey(object), initial),
 *   updated: (before, after) => console.log('updated', objectKey(after), before !== after),
 *   deleted: (object, missed) => console.log('deleted', objectKey(object), missed),
 * };
 * informer.addHandler(handler);
 */
export interface EventHandler<T> {
  /** `initial` means that the object already existed when the informer started. */
  added?(object: T, initial: boolean): void;
  /** Receives both states; on a resync they are the same object. */
  updated?(before: T, after: T): void;
  /** `missed` means that the delete event was not seen, and `object` is the last known state. */
  deleted?(object: T, missed: boolean): void;
}

/** What an informer keeps in memory, and how. */
export interface InformerOptions<T extends KubeObject> {
  readonly resource: ResourceClient<T>;
  readonly indexers?: Indexers<T>;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  /** How often every object is reported as updated. Never by default. */
  readonly resyncMs?: number;
  readonly watchList?: boolean;
  /** Whether {@link Informer.synced} also resolves if the server does not have the resource. Defaults to false. */
  readonly absentIsEmpty?: boolean;
  /** Reduces objects to what is kept, to save memory if only the metadata matters. */
  readonly transform?: (object: T) => T;
  /**
   * Stores equal parts of objects once, which saves much memory for many similar objects. Use it only if handlers never
   * modify objects.
   */
  readonly sharesEqualParts?: boolean;
  readonly clock?: Clock;
  readonly random?: Random;
  readonly observer?: StepObserver | undefined;
  /** How long a request may be silent before it is abandoned and repeated. */
  readonly idleTimeoutMs?: number;
  /** How long without contact to the server before {@link Informer.onStale} is notified. */
  readonly staleAfterMs?: number;
  /** Receives failures of lists, watches and handlers. The informer continues. */
  readonly onError?: (error: unknown) => void;
}

/** How far the contents may be behind the server. */
export interface Staleness {
  /** The time since the last contact with the server; infinite before the first list. */
  readonly ageMs: number;
  /** The reason for the lack of contact, if known. */
  readonly error?: unknown;
}

/** Servers send something at least once a minute, if only a bookmark; this allows for a second attempt. */
export const staleAfterDefaultMs = 120_000;

/**
 * Lists a resource, watches it, and starts over if the watch fails.
 * @example
 * const informer = new Informer({ resource: client.of(Pod), onError: console.error });
 * informer.addIndex('node', (pod) => [pod.spec.nodeName ?? '']);
 * const remove = informer.addHandler({ added: (pod) => queue.add(objectKey(pod)) });
 * informer.onStale(({ ageMs }) => console.warn(`nothing was heard for ${ageMs} ms`));
 * const running = informer.run(signal);
 * await informer.synced;
 * const { metadata } = await client.of(Pod).namespace('default').get('web');
 * await informer.reached(Number(metadata.resourceVersion));
 * console.log(informer.lister.byIndex('node', 'node-0').length);
 */
export class Informer<T extends KubeObject> {
  readonly #options: InformerOptions<T>;
  readonly #store: Store<T>;
  readonly #alike: ObjectInterner<T> | undefined;
  readonly #handlers = new Set<EventHandler<T>>();
  readonly #synced = Promise.withResolvers<void>();
  #hasSynced = false;
  #resourceVersion = '';
  #waiting: Set<{ readonly resourceVersion: number; readonly resolve: () => void }> | undefined;
  #running: Promise<void> | undefined;
  readonly #clock: Clock;
  #heardMs = -Infinity;
  #lastError: unknown;
  #watchdogs: Set<StalenessWatchdog> | undefined;

  constructor(options: InformerOptions<T>) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#store = new Store<T>(options.indexers);
    this.#alike = options.sharesEqualParts ? new ObjectInterner<T>() : undefined;
  }

  get lister(): Lister<T> {
    return this.#store;
  }

  get hasSynced(): boolean {
    return this.#hasSynced;
  }

  /** Resolves when the first list is in the store and has been passed to the handlers. */
  get synced(): Promise<void> {
    return this.#synced.promise;
  }

  /** The resourceVersion of the latest event seen. */
  get resourceVersion(): string {
    return this.#resourceVersion;
  }

  /**
   * The time since the last contact with the server. In process, where nothing gets lost, it matters only before the
   * first list.
   */
  get staleness(): Staleness {
    const ageMs =
      this.#options.resource.isRemote || !this.#hasSynced ? this.#clock.monotonic() - this.#heardMs : 0;
    return { ageMs, ...(this.#lastError === undefined ? {} : { error: this.#lastError }) };
  }

  /**
   * Calls `stale` after `staleAfterMs` (two minutes by default) without contact with the server, once per interval, and
   * `fresh` when the contents are up to date again. Returns a function that removes the callbacks.
   */
  onStale(stale: (staleness: Staleness) => void, fresh: () => void = () => {}): () => void {
    const watchdog = new StalenessWatchdog({
      clock: this.#clock,
      afterMs: this.#options.staleAfterMs ?? staleAfterDefaultMs,
      ageMs: () => this.staleness.ageMs,
      stale: () => this.#guard(() => stale(this.staleness)),
      fresh: () => this.#guard(fresh),
    });
    (this.#watchdogs ??= new Set()).add(watchdog);
    return () => {
      watchdog.stop();
      this.#watchdogs?.delete(watchdog);
    };
  }

  /** Resolves when {@link Informer.resourceVersion} is this one or a newer one. */
  reached(resourceVersion: number): Promise<void> {
    if (Number(this.#resourceVersion) >= resourceVersion) return Promise.resolve();
    return new Promise((resolve) => (this.#waiting ??= new Set()).add({ resourceVersion, resolve }));
  }

  /** Adds an index, which includes existing objects. An existing index of that name is kept. */
  addIndex(name: string, of: IndexFunction<T>): void {
    this.#store.addIndex(name, of);
  }

  /** A handler that is added later is called for all existing objects. Returns a function that removes the handler. */
  addHandler(handler: EventHandler<T>): () => void {
    this.#handlers.add(handler);
    if (handler.added !== undefined)
      for (const object of this.#store.values()) this.#guard(() => handler.added!(object, true));
    return () => void this.#handlers.delete(handler);
  }

  /** Runs until the signal is aborted. Further calls return the same run. */
  run(signal: AbortSignal): Promise<void> {
    return (this.#running ??= this.#run(signal));
  }

  async #run(signal: AbortSignal): Promise<void> {
    const { random = systemRandom, resyncMs } = this.#options;
    const clock = this.#clock;
    let timer: Timer | undefined;
    const resync = () => {
      for (const object of this.#store.values()) this.#updated(object, object);
      timer = clock.after(resyncMs!, resync, { idle: true });
    };
    if (resyncMs !== undefined && resyncMs > 0) timer = clock.after(resyncMs, resync, { idle: true });
    try {
      await reflect<T>({
        ...this.#options,
        clock,
        random,
        signal: relayed(signal),
        onError: (error) => {
          this.#lastError = error;
          if (this.#options.absentIsEmpty === true && isStatusError(error, 'NotFound'))
            this.#synced.resolve();
          this.#options.onError?.(error);
        },
        target: {
          replace: (objects, resourceVersion) => this.#replace(objects, resourceVersion),
          apply: (events) => this.#apply(events),
          inStep: () => this.#inStep(),
        },
      });
    } finally {
      timer?.cancel();
      for (const watchdog of this.#watchdogs ?? []) watchdog.stop();
    }
  }

  #inStep(): void {
    this.#heardMs = this.#clock.monotonic();
    this.#lastError = undefined;
    if (this.#watchdogs !== undefined) for (const watchdog of this.#watchdogs) watchdog.heard();
  }

  /** Notifies handlers of the differences, each only once. */
  #replace(objects: readonly T[], resourceVersion: string): void {
    const gone = new Set(this.#store.keys());
    for (const object of objects) {
      const key = objectKey(object);
      gone.delete(key);
      const known = this.#store.byKey(key);
      if (known !== undefined && isSameState(known, object)) continue;
      // Deleted and recreated in the meantime: a different object with the same name.
      if (known !== undefined && known.metadata.uid !== object.metadata.uid)
        this.#delete(key, undefined, true);
      this.#because(object, () => this.#set(object, !this.#hasSynced));
    }
    for (const key of gone) this.#delete(key, undefined, true);
    this.#advance(resourceVersion);
    if (this.#hasSynced) return;
    this.#hasSynced = true;
    this.#synced.resolve();
  }

  #apply(events: readonly WatchEvent<T>[]): void {
    for (const event of events) {
      const { object } = event;
      this.#because(object, () => this.#applyOne(event));
      this.#advance(object.metadata.resourceVersion ?? this.#resourceVersion);
    }
  }

  #applyOne({ type, object }: WatchEvent<T>): void {
    if (type === 'ADDED' || type === 'MODIFIED') this.#set(object, false);
    else if (type === 'DELETED') this.#delete(objectKey(object), object, false);
  }

  /** Attributes the actions of handlers to the write that produced the object. */
  #because(object: T, report: () => void): void {
    const { observer, resource } = this.#options;
    if (observer === undefined) return report();
    const cause = (): Cause => ({
      by: 'revision',
      revision: Number(object.metadata.resourceVersion),
      key: `${resource.resource.resource}/${objectKey(object)}`,
    });
    becauseOf(observer, cause, report);
  }

  #advance(resourceVersion: string): void {
    this.#resourceVersion = resourceVersion;
    if (this.#waiting === undefined || this.#waiting.size === 0) return;
    for (const waiting of this.#waiting) {
      if (waiting.resourceVersion > Number(resourceVersion)) continue;
      this.#waiting.delete(waiting);
      waiting.resolve();
    }
  }

  #set(received: T, initial: boolean): void {
    const object = this.#options.transform === undefined ? received : this.#options.transform(received);
    const before = this.#store.set(object);
    // A newly created object will soon change, so it is not interned yet.
    if (initial || before !== undefined) this.#alike?.settle(object, before);
    if (before !== undefined) return this.#updated(before, object);
    for (const handler of this.#handlers) {
      if (handler.added !== undefined) this.#guard(() => handler.added!(object, initial));
    }
  }

  #updated(before: T, after: T): void {
    for (const handler of this.#handlers) {
      if (handler.updated !== undefined) this.#guard(() => handler.updated!(before, after));
    }
  }

  #delete(key: string, last: T | undefined, missed: boolean): void {
    const before = this.#store.delete(key);
    if (before === undefined) return;
    const object = last === undefined ? before : (this.#options.transform?.(last) ?? last);
    for (const handler of this.#handlers) {
      if (handler.deleted !== undefined) this.#guard(() => handler.deleted!(object, missed));
    }
  }

  /** A failing handler does not affect the others. */
  #guard(call: () => void): void {
    try {
      call();
    } catch (error) {
      this.#options.onError?.(error);
    }
  }
}

const isSameState = ({ metadata: known }: KubeObject, { metadata: received }: KubeObject): boolean =>
  received.resourceVersion !== undefined &&
  known.resourceVersion === received.resourceVersion &&
  known.uid === received.uid;
