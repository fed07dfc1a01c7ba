/**
 * A response that goes on (a watch): what is written in one turn of the event loop leaves in one write,
 * since a write of its own costs more than the bytes of an event. A client that doesn't read is cut off.
 */
import type { Writable } from 'node:stream';
import type { StreamSink } from './api-response.ts';
import { streamPendingBytesMax } from './transport-limits.ts';

export class JoinedWrites implements StreamSink {
  readonly #stream: Writable;
  readonly #cutOff: () => void;
  #parts: Uint8Array[] = [];
  #partBytes = 0;
  #ended = false;
  #queued = false;
  #onClose: (() => void) | undefined;

  /** @param cutOff resets the stream of a client that is too slow */
  constructor(stream: Writable, cutOff: () => void) {
    this.#stream = stream;
    this.#cutOff = cutOff;
    stream.on('error', ignore);
    stream.on('close', () => {
      this.#ended = true;
      this.#parts = [];
      const listener = this.#onClose;
      this.#onClose = undefined;
      listener?.();
    });
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
    this.#stream.write(bytes);
    if (this.#stream.writableLength > streamPendingBytesMax) this.#cutOff();
  }

  #enqueue(): void {
    if (this.#queued) return;
    this.#queued = true;
    if (dirty.push(this) === 1) setImmediate(flushAll);
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
