/**
 * A response of HTTP/1.1 that goes on (a watch): what is written in one turn of the event loop leaves in one write,
 * since a write of its own costs more than the bytes of an event. Whoever writes waits for `drained`, so
 * that a client that doesn't read costs no more than a bounded buffer.
 */
import type { Writable } from 'node:stream';
import type { StreamSink } from './api-response.ts';
import { streamPendingBytesMax } from './transport-limits.ts';

export class JoinedWrites implements StreamSink {
  readonly #stream: Writable;
  #parts: Uint8Array[] = [];
  #partBytes = 0;
  #ended = false;
  #queued = false;
  #onClose: (() => void) | undefined;
  #waiting: (() => void)[] = [];

  constructor(stream: Writable) {
    this.#stream = stream;
    stream.on('error', ignore);
    stream.on('drain', () => this.#wake());
    stream.on('close', () => {
      this.#ended = true;
      this.#parts = [];
      this.#partBytes = 0;
      const listener = this.#onClose;
      this.#onClose = undefined;
      listener?.();
      this.#wake();
    });
  }

  drained(): Promise<void> | undefined {
    if (this.#ended || this.bytesPending < streamPendingBytesMax) return undefined;
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #wake(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }

  get bytesPending(): number {
    return this.#partBytes + this.#stream.writableLength;
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
    this.#stream.end();
  }

  onClose(listener: () => void): void {
    if (this.#stream.destroyed) listener();
    else this.#onClose = listener;
  }

  flush(): void {
    this.#queued = false;
    if (this.#ended || this.#parts.length === 0) return;
    const parts = this.#parts;
    const bytes = parts.length === 1 ? parts[0]! : Buffer.concat(parts, this.#partBytes);
    this.#parts = [];
    this.#partBytes = 0;
    if (this.#stream.write(bytes)) this.#wake();
  }

  #enqueue(): void {
    if (this.#queued) return;
    this.#queued = true;
    if (dirty.push(this) === 1) queueMicrotask(flushAll);
  }
}

/** All streams with something to write this turn. */
let dirty: JoinedWrites[] = [];

function flushAll(): void {
  const ready = dirty;
  dirty = [];
  for (const writes of ready) writes.flush();
}

function ignore(): void {
  // 'close' follows and ends the response.
}
