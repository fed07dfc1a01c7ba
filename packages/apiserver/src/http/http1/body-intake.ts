/** Receives the body that follows a request's head. */
import { ArrivingBody } from '../arriving-body.ts';
import { noBody, type RequestBody } from '../request-body.ts';
import type { BodyReader } from './body-reader.ts';
import { ChunkedReader } from './chunked-reader.ts';
import { LengthReader } from './length-reader.ts';
import type { BodyFraming } from './request-head.ts';

/** The maximum number of buffered unread bytes. */
const heldBytesMax = 64 * 1024;

/** A body that no handler reads is consumed up to this size, as in Go; beyond it the connection is closed. */
const unreadBytesMax = 256 * 1024;

export class BodyIntake {
  readonly #reader: BodyReader;
  readonly #body: ArrivingBody | undefined;
  readonly #onRead: () => void;
  #heldBytes = 0;
  #skippedBytes = 0;
  #isSkipping = false;
  /** Whether the body is malformed, which makes everything after it unreadable. */
  isBroken = false;

  /** @param onRead called when more bytes may arrive */
  constructor(framing: BodyFraming, onRead: () => void) {
    this.#reader =
      framing.kind === 'chunked'
        ? new ChunkedReader()
        : new LengthReader(framing.kind === 'length' ? framing.bytes : 0);
    this.#onRead = onRead;
    if (framing.kind === 'none') return;
    const declaredBytes = framing.kind === 'length' ? framing.bytes : undefined;
    this.#body = new ArrivingBody(declaredBytes, (bytes) => this.#taken(bytes));
  }

  get requestBody(): RequestBody {
    return this.#body === undefined ? noBody : { kind: 'stream', stream: this.#body };
  }

  /** Whether a reader consumes the body piece by piece and has not reached its end. */
  get isReadInPieces(): boolean {
    return !this.isDone && this.#body?.isReadInPieces === true;
  }

  get isDone(): boolean {
    return this.#reader.isDone;
  }

  /** Whether waiting for its end is pointless. */
  get isHopeless(): boolean {
    return this.isBroken || this.#skippedBytes + this.#reader.bytesLeft > unreadBytesMax;
  }

  /** Whether no more bytes are wanted until some have been read. */
  get isFull(): boolean {
    return !this.#isSkipping && this.#heldBytes >= heldBytesMax;
  }

  /** Returns the offset in `chunk` at which reading stopped. */
  take(chunk: Buffer, start: number): number {
    if (this.isBroken) return chunk.length;
    try {
      const end = this.#reader.take(chunk, start, (bytes) => this.#add(bytes));
      if (this.isDone) this.#body?.end();
      return end;
    } catch (failure) {
      this.break(failure as Error);
      return chunk.length;
    }
  }

  break(failure?: Error): void {
    this.isBroken = true;
    this.#body?.fail(failure);
  }

  /** Discards the rest of the body, since the response is complete. */
  skip(): void {
    this.#isSkipping = true;
    this.#body?.refuse();
  }

  #add(bytes: Uint8Array): void {
    if (this.#isSkipping) {
      this.#skippedBytes += bytes.length;
      return;
    }
    this.#heldBytes += bytes.length;
    this.#body!.add(bytes);
  }

  #taken(bytes: number): void {
    this.#heldBytes -= bytes;
    this.#onRead();
  }
}
