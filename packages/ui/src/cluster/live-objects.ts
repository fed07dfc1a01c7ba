/**
 * Objects kept current by a list and a watch that resumes where it broke. However many changes there are, the display
 * is updated only a few times a second, so that a busy cluster leaves the page time to draw.
 */

import { detach } from '@coxswain/apimachinery/detach.ts';
import type { KubeObject, WatchEvent } from '@coxswain/apimachinery';
import { reflect, type ListWatch } from '@coxswain/client';
import { effect, signal, type ReadonlySignal } from '@preact/signals';
import { attempt } from './attempt.ts';
import { clock, random, reach } from './cluster.ts';

export interface LiveState<T> {
  /** `loading`: the first list is incomplete; what has arrived is shown. `stale`: the watch is broken. */
  readonly phase: 'loading' | 'live' | 'stale' | 'failed';
  readonly failure: unknown;
  /** By UID, in order of arrival. A new map after each change. */
  readonly objects: ReadonlyMap<string, T>;
}

/** The maximum delay before changes are shown. It grows with the number of objects, since each of them is examined. */
const shownAfterMs = (count: number): number => Math.max(120, count / 100);

/**
 * While a list is being read, it is shown each time it has grown by this factor; otherwise drawing would take longer
 * than reading.
 */
const shownGrowth = 1.5;

export class LiveObjects<T extends KubeObject> {
  readonly #objects = new Map<string, T>();
  readonly #state = signal<LiveState<T>>({ phase: 'loading', failure: undefined, objects: new Map() });
  readonly #stopping = new AbortController();
  #phase: LiveState<T>['phase'] = 'loading';
  #failure: unknown;
  #showing: ReturnType<typeof setTimeout> | undefined;
  #shownNext = 1;

  constructor(source: (onPage: (objects: readonly T[]) => void) => ListWatch<T>) {
    detach(
      reflect<T>({
        resource: source((page) => this.#addPage(page)),
        target: {
          replace: (objects) => this.#replace(objects),
          apply: (events) => this.#apply(events),
          inStep: () => this.#is('live', undefined),
        },
        clock: wakefulClock,
        random,
        signal: this.#stopping.signal,
        onError: (failure) =>
          this.#is(this.#phase === 'live' || this.#phase === 'stale' ? 'stale' : 'failed', failure),
      }),
    );
  }

  get state(): ReadonlySignal<LiveState<T>> {
    return this.#state;
  }

  stop(): void {
    clearTimeout(this.#showing);
    this.#stopping.abort(new Error('nobody looks any more'));
  }

  #addPage(objects: readonly T[]): void {
    if (this.#phase === 'live') return;
    for (const object of objects) this.#objects.set(idOf(object), object);
    if (this.#objects.size < this.#shownNext) return;
    this.#shownNext = this.#objects.size * shownGrowth;
    this.#show();
  }

  #replace(objects: readonly T[]): void {
    this.#objects.clear();
    for (const object of objects) this.#objects.set(idOf(object), object);
    this.#show();
  }

  #apply(events: readonly WatchEvent<T>[]): void {
    for (const { type, object } of events) {
      if (type === 'BOOKMARK') continue;
      if (type === 'DELETED') this.#objects.delete(idOf(object));
      else this.#objects.set(idOf(object), object);
    }
    if (events.some(({ type }) => type !== 'BOOKMARK')) this.#show();
  }

  #is(phase: LiveState<T>['phase'], failure: unknown): void {
    if (phase === this.#phase && failure === this.#failure) return;
    this.#phase = phase;
    this.#failure = failure;
    this.#show();
  }

  #show(): void {
    // The first objects are shown immediately, since the user sees nothing yet.
    const delayMs = this.#state.peek().objects.size === 0 ? 0 : shownAfterMs(this.#objects.size);
    this.#showing ??= setTimeout(() => {
      this.#showing = undefined;
      this.#state.value = { phase: this.#phase, failure: this.#failure, objects: new Map(this.#objects) };
    }, delayMs);
  }
}

const idOf = ({ metadata: { uid, namespace = '', name = '' } }: KubeObject): string =>
  uid ?? `${namespace}/${name}`;

/** A clock whose sleep ends early when the server becomes reachable again or the user asks, so that retries need not wait. */
const wakefulClock: typeof clock = {
  ...clock,
  async sleep(delayMs, signal) {
    const woken = new AbortController();
    const stopped = AbortSignal.any([woken.signal, ...(signal === undefined ? [] : [signal])]);
    const first = attempt.peek();
    let wasLost = false;
    const forget = effect(() => {
      if (attempt.value !== first) woken.abort();
      if (reach.value !== 'reached') wasLost = true;
      else if (wasLost) woken.abort();
    });
    try {
      await clock.sleep(delayMs, stopped);
    } catch (failure) {
      if (!woken.signal.aborted || signal?.aborted) throw failure;
    } finally {
      forget();
    }
  },
};
