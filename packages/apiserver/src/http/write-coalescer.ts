/**
 * A streamed HTTP/1.1 response (a watch): everything written in one event-loop turn is sent in one write, since a write
 * costs more than the bytes of an event. Sources wait for `drained`, so that a client that doesn't read costs only a
 * bounded buffer.
 */
import type { StreamSink } from './api-response.ts';
import { streamPendingBytesMax } from './transport-limits.ts';
import { LaggingStream } from './unread-bodies.ts';

export interface WriteTarget {
  readonly unsentBytes: number;
  /** Writes the parts at once. Returns false while the connection is full; `drain` must be called afterwards. */
  write(parts: readonly Uint8Array[], bytesTotal: number): boolean;
  end(): void;
  abort(): void;
}

export class WriteCoalescer implements StreamSink {
  readonly #target: WriteTarget;
  readonly #unread = new LaggingStream(() => this.abort());
  #parts: Uint8Array[] = [];
  #partBytes = 0;
  #ended = false;
  #queued = false;
  #isGone = false;
  #onClose: (() => void) | undefined;
  #waiting: (() => void)[] = [];

  constructor(target: WriteTarget) {
    this.#target = target;
  }

  drained(): Promise<void> | undefined {
    if (this.#ended) return undefined;
    this.#unread.note(this.bytesPending, (callback) => this.#waiting.push(callback));
    if (this.bytesPending < streamPendingBytesMax) return undefined;
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** To be called when the connection accepts more. */
  drain(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }

  /** To be called when the client has disconnected. */
  gone(): void {
    this.#ended = this.#isGone = true;
    this.#parts = [];
    this.#partBytes = 0;
    const listener = this.#onClose;
    this.#onClose = undefined;
    listener?.();
    this.drain();
  }

  get bytesPending(): number {
    return this.#partBytes + this.#target.unsentBytes;
  }

  write(bytes: Uint8Array): void {
    if (this.#ended) return;
    this.#parts.push(bytes);
    this.#partBytes += bytes.length;
    this.#enqueue();
  }

  end(): void {
    if (this.#ended) return;
    this.flush();
    this.#ended = true;
    this.#target.end();
  }

  abort(): void {
    if (this.#ended) return;
    this.flush();
    this.#ended = true;
    this.#unread.release();
    this.#target.abort();
  }

  onClose(listener: () => void): void {
    if (this.#isGone) listener();
    else this.#onClose = listener;
  }

  flush(): void {
    this.#queued = false;
    if (this.#ended || this.#partBytes === 0) return;
    const parts = this.#parts;
    const bytesTotal = this.#partBytes;
    this.#parts = [];
    this.#partBytes = 0;
    if (this.#target.write(parts, bytesTotal)) this.drain();
  }

  #enqueue(): void {
    if (this.#queued) return;
    this.#queued = true;
    if (dirty.push(this) === 1) queueMicrotask(flushAll);
  }
}

/** All streams with pending writes in this turn. */
let dirty: WriteCoalescer[] = [];

function flushAll(): void {
  const ready = dirty;
  dirty = [];
  for (const writes of ready) writes.flush();
}
