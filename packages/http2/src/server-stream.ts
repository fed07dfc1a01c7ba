import { StreamFailure, errorCodes } from './frames/frame.ts';
import type { RequestHead } from './headers/request-head.ts';
import type { SentHeaders } from './hpack/encoder.ts';
import type { Written } from './output/piece-queue.ts';
import { StreamOutput } from './output/stream-output.ts';

/** What a stream needs of its connection. */
export interface StreamCarrier {
  /** The stream has something to send. */
  send(output: StreamOutput): void;
  /** All of the answer has left. */
  answered(stream: ServerStream): void;
  /** Lets the client send so many bytes more. */
  giveBack(stream: ServerStream, bytes: number): void;
  reset(stream: ServerStream, code: number): void;
  /** Tells the client to open another connection for what it asks next. */
  shutdown(): void;
}

/** Who takes the body. */
export interface StreamListener {
  /** Whoever has done with the bytes gives them back to the client's window: `stream.giveBack(bytes.length)`. */
  onData(bytes: Buffer): void;
  /** The client has sent all it wants to send. */
  onEnd(): void;
}

const deaf: StreamListener = { onData: () => undefined, onEnd: () => undefined };

const none: readonly (() => void)[] = [];

/** One request and its answer: headers, data as the client's window allows, trailers. */
export class ServerStream {
  readonly id: number;
  readonly head: RequestHead;
  listener: StreamListener = deaf;
  isRemoteOpen: boolean;
  isClosed = false;
  /** Bytes that came and that the client's window hasn't got back, and those of them that nobody needs any more. */
  windowUsedBytes = 0;
  doneBytes = 0;
  readonly output: StreamOutput;
  readonly #carrier: StreamCarrier;
  #receivedBytes = 0;
  #isAnswered = false;
  #onDrain: readonly (() => void)[] = none;
  #onClose: readonly (() => void)[] = none;

  constructor(
    carrier: StreamCarrier,
    id: number,
    head: RequestHead,
    options: { readonly sendWindow: number; readonly isRemoteOpen: boolean },
  ) {
    this.#carrier = carrier;
    this.id = id;
    this.head = head;
    this.isRemoteOpen = options.isRemoteOpen;
    this.output = new StreamOutput(id, options.sendWindow, this);
  }

  get isAnswered(): boolean {
    return this.#isAnswered;
  }

  /** Bytes that were written and that the connection has not taken yet. */
  get unsentBytes(): number {
    return this.output.data.bytes;
  }

  /** @param headers names in lower case, values with a character for each byte */
  respond(status: number, headers: SentHeaders, options: { readonly isLast?: boolean } = {}): void {
    if (this.isClosed || this.#isAnswered) return;
    this.#isAnswered = true;
    this.output.status = status;
    this.output.headers = headers;
    if (options.isLast === true) this.output.isEnding = true;
    this.#carrier.send(this.output);
  }

  /** @param written is called once the bytes are nobody's any more */
  write(bytes: Uint8Array, written?: Written): void {
    if (this.isClosed || this.output.isEnding || bytes.length === 0) return;
    this.output.data.push(bytes, written);
    this.#carrier.send(this.output);
  }

  end(trailers?: SentHeaders): void {
    if (this.isClosed || this.output.isEnding) return;
    this.output.isEnding = true;
    this.output.trailers = trailers;
    this.#carrier.send(this.output);
  }

  giveBack(bytes: number): void {
    if (!this.isClosed) this.#carrier.giveBack(this, bytes);
  }

  reset(code: number): void {
    if (!this.isClosed) this.#carrier.reset(this, code);
  }

  /** Resets the stream when all that was written has left. */
  abort(code: number): void {
    if (this.output.headers === undefined && this.unsentBytes === 0) this.reset(code);
    else this.onDrain(() => this.reset(code));
  }

  /** Calls once when nothing is unsent, or when the stream is over. */
  onDrain(callback: () => void): void {
    if (this.isClosed) callback();
    else this.#onDrain = [...this.#onDrain, callback];
  }

  /** Calls once when nothing goes either way any more, whether it was complete or not. */
  onClose(callback: () => void): void {
    if (this.isClosed) callback();
    else this.#onClose = [...this.#onClose, callback];
  }

  /** Tells the client to open another connection for what it asks next; this one ends when it has nothing under way. */
  shutdownConnection(): void {
    this.#carrier.shutdown();
  }

  /** Told by the connection. */
  drained(): void {
    if (this.#onDrain.length === 0) return;
    const callbacks = this.#onDrain;
    this.#onDrain = none;
    for (const callback of callbacks) callback();
  }

  /** Told by the connection. */
  finished(): void {
    this.#carrier.answered(this);
  }

  /**
   * Told by the connection: so much data came, and perhaps the last.
   * @throws StreamFailure when it is not as long as the request said
   */
  checkLength(bytes: number, isLast: boolean): void {
    this.#receivedBytes += bytes;
    const expected = this.head.contentLength;
    if (expected === undefined) return;
    if (this.#receivedBytes > expected || (isLast && this.#receivedBytes !== expected))
      throw new StreamFailure(errorCodes.protocol, `${this.#receivedBytes} bytes instead of ${expected}`);
  }

  /** Told by the connection. */
  close(): void {
    this.isClosed = true;
    const callbacks = this.#onClose;
    this.#onClose = none;
    for (const callback of callbacks) callback();
    this.drained();
  }
}
