/** What comes in for one request behind its head. */
import { ArrivingBody } from '../arriving-body.ts';
import { noBody, type RequestBody } from '../request-body.ts';
import type { BodyReader } from './body-reader.ts';
import { ChunkedReader } from './chunked-reader.ts';
import { LengthReader } from './length-reader.ts';
import type { BodyFraming } from './request-head.ts';

/** What may lie there that nobody has read. */
const heldBytesMax = 64 * 1024;

/** A body that nobody wanted is taken in up to this, as Go does; for more the connection is given up. */
const unreadBytesMax = 256 * 1024;

export class BodyIntake {
  readonly #reader: BodyReader;
  readonly #body: ArrivingBody | undefined;
  readonly #onRead: () => void;
  #heldBytes = 0;
  #skippedBytes = 0;
  #isSkipping = false;
  /** Whether what came is no body: what follows can't be read either. */
  isBroken = false;

  /** @param onRead called when more may come */
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

  /** Whether somebody takes it as it comes, and has not come to its end. */
  get isReadInPieces(): boolean {
    return !this.isDone && this.#body?.isReadInPieces === true;
  }

  get isDone(): boolean {
    return this.#reader.isDone;
  }

  /** Whether there is no use in waiting for its end. */
  get isHopeless(): boolean {
    return this.isBroken || this.#skippedBytes + this.#reader.bytesLeft > unreadBytesMax;
  }

  /** Whether no more is to come before somebody has read. */
  get isFull(): boolean {
    return !this.#isSkipping && this.#heldBytes >= heldBytesMax;
  }

  /** Returns where the body ended in `chunk`, or the chunk. */
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

  /** The answer is there: what is still coming is passed over. */
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
