import { StorageError, type EventBatch, type Subscriber, type Subscription } from '../storage.ts';

/** The maximum number of waiting batches; a reader further behind is cut off, and may watch again from its position. */
const waitingMax = 100_000;

/** Turns a subscription into an async iteration: batches that arrive while the reader works are queued. */
class BatchQueue implements Subscriber {
  #waiting: EventBatch[] = [];
  #end: Error | undefined;
  #ended = false;
  #wake: (() => void) | undefined;

  onEvents(batch: EventBatch): void {
    if (this.#ended) return;
    if (this.#waiting.length >= waitingMax) {
      return this.onEnd(new StorageError('unavailable', `the watch is ${waitingMax} revisions behind`));
    }
    this.#waiting.push(batch);
    this.#wake?.();
  }

  onEnd(reason: Error): void {
    this.#end = reason;
    this.finish();
  }

  /** Ends the iteration after the waiting batches. */
  finish(): void {
    this.#ended = true;
    this.#wake?.();
  }

  get length(): number {
    return this.#waiting.length;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<EventBatch, void, void> {
    for (;;) {
      const batches = this.#waiting;
      this.#waiting = [];
      for (const batch of batches) yield batch;
      if (this.#waiting.length > 0) continue;
      if (this.#end !== undefined) throw this.#end;
      if (this.#ended) return;
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}

/** The batches of a subscription until the signal aborts. */
export async function* batchesOf(
  subscribe: (subscriber: Subscriber) => Subscription,
  signal: AbortSignal,
): AsyncGenerator<EventBatch, void, void> {
  if (signal.aborted) return;
  const queue = new BatchQueue();
  const subscription = subscribe(queue);
  const stop = () => queue.finish();
  signal.addEventListener('abort', stop, { once: true });
  try {
    for await (const batch of queue) {
      if (signal.aborted) return;
      yield batch;
    }
  } finally {
    signal.removeEventListener('abort', stop);
    subscription.cancel();
  }
}
