import { StreamFailure, errorCodes } from './frames/frame.ts';
import type { RequestHead } from './headers/request-head.ts';
import type { SentHeaders } from './hpack/encoder.ts';
import type { Written } from './output/piece-queue.ts';
import { StreamOutput } from './output/stream-output.ts';

/** The part of its connection that a stream uses. */
export interface StreamCarrier {
  /** The stream has pending output. */
  send(output: StreamOutput): void;
  /** The whole response has been sent. */
  answered(stream: ServerStream): void;
  /** Extends the client's window by this many bytes. */
  giveBack(stream: ServerStream, bytes: number): void;
  reset(stream: ServerStream, code: number): void;
  /** Asks the client to open another connection for its next request. */
  shutdown(): void;
}

/** The consumer of the request body. */
export interface StreamListener {
  /** A consumer returns bytes that it has processed to the client's window: `stream.giveBack(bytes.length)`. */
  onData(bytes: Buffer): void;
  /** The client has ended the body. */
  onEnd(): void;
}

const deaf: StreamListener = { onData: () => undefined, onEnd: () => undefined };

const none: readonly (() => void)[] = [];

/** One request and its response: headers, data as the client's window allows, trailers. */
export class ServerStream {
  readonly id: number;
  readonly head: RequestHead;
  listener: StreamListener = deaf;
  isRemoteOpen: boolean;
  isClosed = false;
  /** Received bytes not yet returned to the client's window, and those of them that are no longer needed. */
  windowUsedBytes = 0;
  doneBytes = 0;
  /** When a response that the client has not read is given up, on the clock of {@link ServerConnection.cutOverdue}. */
  deadlineMs = Number.POSITIVE_INFINITY;
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

  /** Written bytes that the connection has not taken yet. */
  get unsentBytes(): number {
    return this.output.data.bytes;
  }

  /** @param headers names in lower case, values with one character per byte */
  respond(status: number, headers: SentHeaders, options: { readonly isLast?: boolean } = {}): void {
    if (this.isClosed || this.#isAnswered) return;
    this.#isAnswered = true;
    this.output.status = status;
    this.output.headers = headers;
    if (options.isLast === true) this.output.isEnding = true;
    this.#carrier.send(this.output);
  }

  /** @param written called when the bytes are no longer used */
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

  /** Resets the stream after everything written was sent. */
  abort(code: number): void {
    if (this.output.headers === undefined && this.unsentBytes === 0) this.reset(code);
    else this.onDrain(() => this.reset(code));
  }

  /** Calls back once when nothing is left to send, or when the stream is closed. */
  onDrain(callback: () => void): void {
    if (this.isClosed) callback();
    else this.#onDrain = [...this.#onDrain, callback];
  }

  /** Calls back once when both directions have ended, complete or not. */
  onClose(callback: () => void): void {
    if (this.isClosed) callback();
    else this.#onClose = [...this.#onClose, callback];
  }

  /** Asks the client to open another connection for its next request; this one closes when idle. */
  shutdownConnection(): void {
    this.#carrier.shutdown();
  }

  /** Called by the connection. */
  drained(): void {
    if (this.#onDrain.length === 0) return;
    const callbacks = this.#onDrain;
    this.#onDrain = none;
    for (const callback of callbacks) callback();
  }

  /** Called by the connection. */
  finished(): void {
    this.#carrier.answered(this);
  }

  /**
   * Called by the connection when data arrives, possibly the last.
   * @throws StreamFailure if the length differs from the announced one
   */
  checkLength(bytes: number, isLast: boolean): void {
    this.#receivedBytes += bytes;
    const expected = this.head.contentLength;
    if (expected === undefined) return;
    if (this.#receivedBytes > expected || (isLast && this.#receivedBytes !== expected))
      throw new StreamFailure(errorCodes.protocol, `${this.#receivedBytes} bytes instead of ${expected}`);
  }

  /** Called by the connection. */
  close(): void {
    this.isClosed = true;
    const callbacks = this.#onClose;
    this.#onClose = none;
    for (const callback of callbacks) callback();
    this.drained();
  }
}
