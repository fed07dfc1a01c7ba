import type { KubeObject, WatchEvent } from '@coxswain/apimachinery';
import type { EventStream } from '../http/api-response.ts';
import type { ServedEvent, ServedWatch } from '../rest/served.ts';

export type Events = readonly WatchEvent<KubeObject>[];

export interface StructuredEventsOptions {
  readonly watch: ServedWatch;
  /** Ends the watch. */
  readonly signal: AbortSignal;
  readonly convert: (event: ServedEvent) => WatchEvent<KubeObject>;
  /** The final event for a client whose history was reset. */
  readonly resetEvent: () => ServedEvent;
}

/**
 * The events of a watch for an in-process client, readable once. Every informer has one that waits: it is not a
 * generator, since the state of a waiting generator would be most of a watch's memory.
 */
export class StructuredEvents implements EventStream {
  readonly #options: StructuredEventsOptions;
  readonly #stop: () => void;
  readonly #taken = (events: readonly ServedEvent[] | undefined) => this.#answer(events);
  readonly #failed = (failure: unknown) => {
    this.#finish();
    throw failure;
  };
  #whenOver: (() => void)[] = [];
  #isOver = false;
  #reportedReset = false;

  constructor(options: StructuredEventsOptions) {
    this.#options = options;
    const { watch, signal } = options;
    this.#stop = () => watch.stop();
    if (signal.aborted) watch.stop();
    else signal.addEventListener('abort', this.#stop, { once: true });
  }

  whenOver(listener: () => void): void {
    if (this.#isOver) listener();
    else this.#whenOver.push(listener);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<Events, undefined>> {
    if (this.#isOver) return Promise.resolve(end);
    return this.#options.watch.next().then(this.#taken, this.#failed);
  }

  /** The reader has stopped. */
  return(): Promise<IteratorResult<Events, undefined>> {
    this.#finish();
    return Promise.resolve(end);
  }

  #answer(events: readonly ServedEvent[] | undefined): IteratorResult<Events, undefined> {
    const { watch, convert, resetEvent } = this.#options;
    if (events !== undefined) return { done: false, value: this.#converted(events, convert) };
    if (watch.ended === 'reset' && !this.#reportedReset && !this.#isOver) {
      this.#reportedReset = true;
      return { done: false, value: [convert(resetEvent())] };
    }
    this.#finish();
    return end;
  }

  #converted(events: readonly ServedEvent[], convert: StructuredEventsOptions['convert']): Events {
    try {
      return events.map((event) => convert(event));
    } catch (failure) {
      this.#finish();
      throw failure;
    }
  }

  #finish(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#options.signal.removeEventListener('abort', this.#stop);
    this.#options.watch.stop();
    for (const listener of this.#whenOver) listener();
    this.#whenOver = [];
  }
}

const end = { done: true, value: undefined } as const;
