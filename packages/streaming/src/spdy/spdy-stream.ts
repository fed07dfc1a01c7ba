import { Duplex } from 'node:stream';
import type { SpdyHeaders } from './frame.ts';

/** The part of its connection that a stream uses. */
export interface StreamOwner {
  sendData(streamId: number, bytes: Uint8Array, sent: () => void): void;
  sendEnd(streamId: number): void;
  sendReset(streamId: number): void;
  /** The reader has consumed its data, and more may arrive. */
  wantsMore(stream: SpdyStream): void;
  closed(stream: SpdyStream): void;
}

/** One stream of a SPDY connection: bytes in both directions, each of which ends independently. */
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
    // A reset is reported by the 'close' that follows; listening for the error is optional.
    this.on('error', () => undefined);
  }

  /** Ends both directions and informs the peer. */
  reset(): void {
    this.#wasReset = true;
    this.#owner.sendReset(this.id);
    this.destroy();
  }

  /** Received data; returns false if the reader should catch up first. */
  received(bytes: Uint8Array): boolean {
    return this.readableEnded || this.destroyed || this.push(bytes);
  }

  receivedEnd(): void {
    if (!this.readableEnded && !this.destroyed) this.push(null);
  }

  /** The peer has reset the stream, or the connection is gone. */
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

/** The buffer of one stream for a slow reader; beyond it the whole connection waits, as upstream. */
const unreadBytesMax = 256 * 1024;
