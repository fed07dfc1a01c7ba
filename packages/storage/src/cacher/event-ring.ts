import type { Revision } from '../storage.ts';
import type { CacheEvent } from './cache-event.ts';

/** The last events of a resource, oldest first, for watches that begin a little in the past. */
export class EventRing<T> {
  readonly #eventsMax: number;
  #events: CacheEvent<T>[] = [];
  #first = 0;
  /** All events after this revision are here. */
  #completeAfter: Revision;

  constructor(completeAfter: Revision, eventsMax: number) {
    this.#completeAfter = completeAfter;
    this.#eventsMax = eventsMax;
  }

  get completeAfter(): Revision {
    return this.#completeAfter;
  }

  push(event: CacheEvent<T>): void {
    this.#events.push(event);
    if (this.#events.length - this.#first <= this.#eventsMax) return;
    this.#completeAfter = this.#events[this.#first]!.revision;
    this.#first++;
    if (this.#first > this.#eventsMax) {
      this.#events = this.#events.slice(this.#first);
      this.#first = 0;
    }
  }

  /** Undefined when some of them are no longer here. */
  after(revision: Revision): CacheEvent<T>[] | undefined {
    if (revision < this.#completeAfter) return undefined;
    let low = this.#first;
    let high = this.#events.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#events[middle]!.revision <= revision) low = middle + 1;
      else high = middle;
    }
    return this.#events.slice(low);
  }
}
