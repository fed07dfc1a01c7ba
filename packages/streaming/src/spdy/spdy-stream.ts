import { Duplex } from 'node:stream';
import type { SpdyHeaders } from './frame.ts';

/** What a stream needs of its connection. */
export interface StreamOwner {
  sendData(streamId: number, bytes: Uint8Array, sent: () => void): void;
  sendEnd(streamId: number): void;
  sendReset(streamId: number): void;
  /** The reader has taken what it had: more may come. */
  wantsMore(stream: SpdyStream): void;
  closed(stream: SpdyStream): void;
}

/** One stream of a SPDY connection: bytes both ways, each way ended on its own. */
export class SpdyStream extends Duplex {
  readonly id: number;
  readonly headers: SpdyHeaders;
  readonly #owner: StreamOwner;
  #wasReset = false;

  constructor(id: number, headers: SpdyHeaders, owner: StreamOwner) {
    super({ allowHalfOpen: true, readableHighWaterMark: unreadBytesMax });
    this.id = id;
    this.headers = headers;
    this.#owner = owner;
    // A reset is told by the 'close' that follows; nobody has to listen for its error.
    this.on('error', () => undefined);
  }

  /** Tells the other end that neither way goes on. */
  reset(): void {
    this.#wasReset = true;
    this.#owner.sendReset(this.id);
    this.destroy();
  }

  /** Bytes that came; false when the reader should catch up first. */
  received(bytes: Uint8Array): boolean {
    return this.readableEnded || this.destroyed || this.push(bytes);
  }

  receivedEnd(): void {
    if (!this.readableEnded && !this.destroyed) this.push(null);
  }

  /** The other end has reset it, or the connection is gone. */
  cutOff(reason: Error): void {
    this.#wasReset = true;
    this.destroy(reason);
  }

  override _read(): void {
    this.#owner.wantsMore(this);
  }

  override _write(bytes: Uint8Array, _encoding: unknown, done: () => void): void {
    this.#owner.sendData(this.id, bytes, done);
  }

  override _final(done: () => void): void {
    this.#owner.sendEnd(this.id);
    done();
  }

  override _destroy(failure: Error | null, done: (failure: Error | null) => void): void {
    if (!this.#wasReset && !(this.writableFinished && this.readableEnded)) this.#owner.sendReset(this.id);
    this.#owner.closed(this);
    done(failure);
  }
}

/** Kept of one stream for a reader that is slow; beyond it the whole connection waits, as the original's does. */
const unreadBytesMax = 256 * 1024;
