import type { Revision } from '../storage.ts';
import type { CacheEvent } from './cache-event.ts';

export interface RingBounds {
  readonly eventsMax: number;
  /** Of the replaced states, which only the events retain. */
  readonly bytesMax: number;
}

/** The latest events of a resource, oldest first, for watches that start a little in the past. */
export class EventRing<T> {
  readonly #bounds: RingBounds;
  #bytes = 0;
  #events: (CacheEvent<T> | undefined)[] = [];
  #first = 0;
  /** All events after this revision are here. */
  #completeAfter: Revision;

  constructor(completeAfter: Revision, bounds: RingBounds) {
    this.#completeAfter = completeAfter;
    this.#bounds = bounds;
  }

  get completeAfter(): Revision {
    return this.#completeAfter;
  }

  push(event: CacheEvent<T>): void {
    this.#events.push(event);
    this.#bytes += event.bytesKept;
    const { eventsMax, bytesMax } = this.#bounds;
    while (this.#events.length - this.#first > eventsMax || this.#bytes > bytesMax) this.#dropFirst();
  }

  #dropFirst(): void {
    const event = this.#events[this.#first]!;
    this.#completeAfter = event.revision;
    this.#bytes -= event.bytesKept;
    this.#events[this.#first] = undefined;
    this.#first++;
    if (this.#first < this.#bounds.eventsMax) return;
    this.#events = this.#events.slice(this.#first);
    this.#first = 0;
  }

  /** Undefined when some of them are no longer available. */
  after(revision: Revision): CacheEvent<T>[] | undefined {
    if (revision < this.#completeAfter) return undefined;
    let low = this.#first;
    let high = this.#events.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#events[middle]!.revision <= revision) low = middle + 1;
      else high = middle;
    }
    return this.#events.slice(low) as CacheEvent<T>[];
  }
}
